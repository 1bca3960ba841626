package dev.keelson.schema.openapi;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The structs of which one field at a time is set, as Kubernetes' Go types mark them ({@code
 * +union}, KEP-1027): the extension {@code x-kubernetes-unions}.
 */
final class Unions {

  private static final Map<String, MapNode> BY_STRUCT =
      Map.of(
          "io.k8s.api.core.v1.AppArmorProfile",
          union("type", "localhostProfile", "LocalhostProfile"),
          "io.k8s.api.core.v1.SeccompProfile",
          union("type", "localhostProfile", "LocalhostProfile"),
          "io.k8s.api.core.v1.PodSchedulingGroup",
          union("", "podGroupName", "PodGroupName"),
          "io.k8s.api.flowcontrol.v1.LimitResponse",
          union("type", "queuing", "Queuing"),
          "io.k8s.api.flowcontrol.v1.PriorityLevelConfigurationSpec",
          union("type", "exempt", "Exempt", "limited", "Limited"),
          "io.k8s.api.flowcontrol.v1.Subject",
          union("kind", "group", "Group", "serviceAccount", "ServiceAccount", "user", "User"));

  private Unions() {}

  /** The union of a struct, or null. */
  static @Nullable MapNode of(String struct) {
    return BY_STRUCT.get(struct);
  }

  /**
   * @param discriminator the field that names the one that is set, or empty
   * @param members names of fields, each with its value of the discriminator
   */
  private static MapNode union(String discriminator, String... members) {
    MapNode.Builder fields = MapNode.builder(members.length / 2);
    for (int i = 0; i < members.length; i += 2) {
      fields.put(members[i], Node.text(members[i + 1]));
    }
    MapNode.Builder union = MapNode.builder(2);
    if (!discriminator.isEmpty()) {
      union.put("discriminator", Node.text(discriminator));
    }
    return union.put("fields-to-discriminateBy", fields.build()).build();
  }
}
