// Inside the native app: a dark status bar, a splash screen that goes when the page is there, and
// Android's back button. Fetched there only.
async function ask(plugin, name, ...wishes) {
  try {
    await plugin?.[name]?.(...wishes);
  } catch {
    // This system has no such thing: an iPhone colours its status bar itself.
  }
}

// The running page says which one it is.
function whenAlive(act) {
  const page = document.documentElement;
  if (page.dataset.page) return void act();
  const watch = new MutationObserver(() => {
    watch.disconnect();
    act();
  });
  watch.observe(page, { attributeFilter: ["data-page"] });
}

export function start({ App, SplashScreen, StatusBar } = {}, bars) {
  ask(StatusBar, "setStyle", { style: "DARK" });
  ask(StatusBar, "setBackgroundColor", { color: bars });
  ask(App, "addListener", "backButton", ({ canGoBack }) => {
    if (canGoBack) history.back();
    else ask(App, "exitApp");
  });
  whenAlive(() => ask(SplashScreen, "hide"));
}
