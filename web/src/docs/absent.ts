/** Replaces the packages with which Redoc converts and bundles other documents: ours is one OpenAPI 3.1 document. */
export default {};
