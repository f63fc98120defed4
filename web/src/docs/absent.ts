/** Stands in for what Redoc converts and bundles other descriptions with: ours is one document of the newest version. */
export default {};
