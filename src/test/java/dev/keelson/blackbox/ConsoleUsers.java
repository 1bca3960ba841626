package dev.keelson.blackbox;

import dev.keelson.testing.RestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Who signs in to the console in its tests, and what they look at. */
final class ConsoleUsers {

  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/namespaces/";

  private ConsoleUsers() {}

  /** A file of tokens: {@code root} is that of ann, who may all, {@code little} that of bob. */
  static Path tokens(Path directory) throws IOException {
    return Files.writeString(
        directory.resolve("tokens.csv"), "root,ann,7,\"system:masters\"\nlittle,bob,8,\"dev\"\n");
  }

  /** Lets a user or group read the config maps of a namespace, by the role {@code reader}. */
  static void allowReading(
      RestClient administrator, String namespace, String binding, String kind, String name) {
    administrator.post(
        RBAC + namespace + "/roles",
        Map.of(
            "metadata", Map.of("name", "reader"),
            "rules",
                List.of(
                    Map.of(
                        "apiGroups", List.of(""),
                        "resources", List.of("configmaps"),
                        "verbs", List.of("get", "list", "watch")))));
    administrator.post(
        RBAC + namespace + "/rolebindings",
        Map.of(
            "metadata", Map.of("name", binding),
            "roleRef",
                Map.of("apiGroup", "rbac.authorization.k8s.io", "kind", "Role", "name", "reader"),
            "subjects", List.of(Map.of("kind", kind, "name", name))));
  }

  static Map<String, Object> configMap(String name, Map<String, String> data) {
    return Map.of("metadata", Map.of("name", name), "data", data);
  }
}
