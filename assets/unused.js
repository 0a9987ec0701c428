// In the place of what comes along and no page of ours uses: its state in cookies, whose session
// no script can read, its uploads, what Emotion calls for a component that takes its theme, and the
// ways of events besides the websocket.
// `rewards_app/ui/chunks.py` puts it there.
const refuse = () => {
  throw new Error("left out by rewards_app/ui/chunks.py");
};

export default class Cookies {
  get = refuse;
  set = refuse;
  remove = refuse;
}

export const uploadFiles = refuse;

// Named where the ways are listed, and never taken.
export const XHR = refuse;
export const WT = refuse;
