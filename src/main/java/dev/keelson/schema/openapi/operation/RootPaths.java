package dev.keelson.schema.openapi.operation;

import dev.keelson.api.GroupVersion;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Scalar;
import java.util.List;
import java.util.Map;

/** The discovery paths. */
public record RootPaths(MetaTypes types) {

  /** {@code /api/}, the versions of the core group. */
  public PathItem core() {
    return get("/api/", "getAPIVersions", "Lists the versions of the core group.", "APIVersions");
  }

  /** {@code /apis/}, every other group. */
  public PathItem groups() {
    return get("/apis/", "getAPIVersions", "Lists the groups that are served.", "APIGroupList");
  }

  /** One group: its versions. */
  public PathItem group(String name) {
    return get(
        "/apis/" + name + "/",
        "getAPIGroup",
        "Lists the versions of the group " + name + ".",
        "APIGroup");
  }

  /** One group version: its resources. */
  public PathItem resources(GroupVersion version) {
    return get(
        ResourcePaths.base(version) + "/",
        "getAPIResources",
        "Lists the resources of " + version + ".",
        "APIResourceList");
  }

  /** {@code /version/}. */
  public PathItem version() {
    return get(
        "/version/",
        "getCodeVersion",
        "Tells the version of the server.",
        types.versionInfo(),
        List.of("application/json"));
  }

  /** The discovery document of service account tokens. */
  public PathItem issuer() {
    return get(
        "/.well-known/openid-configuration/",
        "getServiceAccountIssuerOpenIDConfiguration",
        "Tells how the tokens of service accounts can be checked.",
        Scalar.STRING,
        List.of("application/json"));
  }

  /** The keys of service account tokens. */
  public PathItem issuerKeys() {
    return get(
        "/openid/v1/jwks/",
        "getServiceAccountIssuerOpenIDKeyset",
        "Lists the public keys of the tokens of service accounts.",
        Scalar.STRING,
        List.of("application/jwk-set+json"));
  }

  private PathItem get(String path, String name, String description, String answer) {
    return get(path, name, description, types.meta(answer), MediaTypes.OBJECTS);
  }

  private static PathItem get(
      String path, String name, String description, SchemaNode answer, List<String> produces) {
    return new PathItem(
        path,
        List.of(
            new Operation(
                "get",
                name,
                description,
                /* action= */ "",
                /* kind= */ null,
                List.of(),
                /* body= */ null,
                produces,
                Map.of(200, answer))));
  }
}
