import type { MetadataRoute } from "next";

export default function manifest(): MetadataRoute.Manifest {
  return {
    name: "Countersign",
    short_name: "Countersign",
    description: "Agents ask, people countersign.",
    start_url: "/approvals",
    display: "standalone",
    background_color: "#f8f7f5",
    theme_color: "#f8f7f5",
    icons: [{ src: "/icon.svg", sizes: "any", type: "image/svg+xml" }],
  };
}
