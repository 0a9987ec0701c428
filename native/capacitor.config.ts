// The native shell shows the app that is served; what it does inside is in assets/native.js.
import type { CapacitorConfig } from "@capacitor/cli";

const address = process.env.WATCHCOINS_URL;
if (!address?.startsWith("https://") && !address?.startsWith("http://localhost"))
  throw new Error("WATCHCOINS_URL: the address of the app, for example https://play.example.com");

// As DARK["bg"] in rewards_app/ui/palette.py: a test compares them.
const ARENA = "#0B0618";

const config: CapacitorConfig = {
  appId: process.env.WATCHCOINS_APP_ID ?? "com.example.watchcoins",
  appName: "WatchCoins",
  webDir: "www",
  backgroundColor: ARENA,
  server: {
    url: address,
    // Other servers open in the browser of the system, but for those that belong to a journey.
    allowNavigation: (process.env.WATCHCOINS_ALSO ?? "").split(",").filter(Boolean),
  },
  plugins: {
    // The page hides it when it is there; this is for a server that does not answer.
    SplashScreen: { launchAutoHide: true, launchShowDuration: 10000, backgroundColor: ARENA },
    StatusBar: { style: "DARK", backgroundColor: ARENA },
    SystemBars: { style: "DARK" },
  },
};

export default config;
