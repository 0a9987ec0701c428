// In the place of what Reflex brings and no page of ours uses: its state in cookies, whose session
// no script can read, and its uploads. `rewards_app/ui/chunks.py` puts it there.
const refuse = () => {
  throw new Error("left out by rewards_app/ui/chunks.py");
};

export default class Cookies {
  get = refuse;
  set = refuse;
  remove = refuse;
}

export const uploadFiles = refuse;
