"use strict";
window.SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#document",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  docExpansion: "list",
  persistAuthorization: true,
  tryItOutEnabled: true,
  validatorUrl: null,
});
