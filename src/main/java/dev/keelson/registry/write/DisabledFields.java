package dev.keelson.registry.write;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.StructSchema;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Fields whose feature gates are off in Kubernetes 1.36: they are known, and what a client says in
 * them is forgotten, unless the object used the feature before (source: the dropDisabledFields of
 * the strategies). They are declared by their struct, so that pods and the drafts of pods in every
 * type lose them alike. Safe for use by several threads.
 */
final class DisabledFields {

  /** By the struct's short name. */
  private static final Map<String, Set<String>> BY_STRUCT =
      Map.ofEntries(
          Map.entry("PodSpec", Set.of("schedulingGroup", "evictionResponders")),
          Map.entry("VolumeMount", Set.of("bindMountOptions")),
          Map.entry("EmptyDirVolumeSource", Set.of("mode")),
          Map.entry("KeyToPath", Set.of("user")),
          Map.entry("DownwardAPIVolumeFile", Set.of("user")),
          Map.entry("ServiceAccountTokenProjection", Set.of("user")),
          Map.entry("ClusterTrustBundleProjection", Set.of("user")),
          Map.entry("PodCertificateProjection", Set.of("user")),
          Map.entry("SecretVolumeSource", Set.of("defaultUser")),
          Map.entry("ConfigMapVolumeSource", Set.of("defaultUser")),
          Map.entry("DownwardAPIVolumeSource", Set.of("defaultUser")),
          Map.entry("ProjectedVolumeSource", Set.of("defaultUser")),
          Map.entry("VolumeProjection", Set.of("clusterTrustBundle", "podCertificate")),
          Map.entry("HTTPGetAction", Set.of("protocol")),
          Map.entry("GRPCAction", Set.of("mode")),
          Map.entry("NodeSpec", Set.of("configSource")),
          Map.entry("NodeStatus", Set.of("config")),
          Map.entry("LeaseSpec", Set.of("strategy", "preferredHolder")),
          Map.entry("CSIDriverSpec", Set.of("preventPodSchedulingIfMissing")));

  /** One such field, by the short name of its struct. */
  private record Gated(String struct, String field) {}

  /** The fields of a struct that are dropped, and those below which some may be. */
  private record Plan(String struct, Set<String> dropped, Map<String, StructSchema> below) {
    boolean empty() {
      return dropped.isEmpty() && below.isEmpty();
    }
  }

  private final Map<StructSchema, Plan> plans = new ConcurrentHashMap<>();

  /**
   * The object without what stands in such fields.
   *
   * @param current what is stored, whose features stay on; null for a new object
   */
  ApiObject forgotten(StructSchema schema, ApiObject object, @Nullable ApiObject current) {
    if (plan(schema).empty()) {
      return object;
    }
    MapNode kept = without(object.root(), schema, Set.of());
    if (kept == object.root()) {
      // as with almost every write: what is stored is not looked through
      return object;
    }
    if (current != null) {
      Set<Gated> used = new HashSet<>();
      collect(current.root(), schema, used);
      kept = without(object.root(), schema, used);
    }
    return new ApiObject(kept);
  }

  private void collect(Node value, StructSchema schema, Set<Gated> used) {
    if (value instanceof Node.Items items) {
      items.values().forEach(item -> collect(item, schema, used));
    }
    if (!(value instanceof MapNode map)) {
      return;
    }
    Plan plan = plan(schema);
    for (String field : plan.dropped) {
      if (map.has(field)) {
        used.add(new Gated(plan.struct, field));
      }
    }
    for (Map.Entry<String, StructSchema> below : plan.below.entrySet()) {
      Node inner = map.get(below.getKey());
      if (inner != null) {
        collect(inner, below.getValue(), used);
      }
    }
  }

  /** {@code map} itself if it has no such field. */
  private MapNode without(MapNode map, StructSchema schema, Set<Gated> used) {
    Plan plan = plan(schema);
    MapNode kept = map;
    for (String field : plan.dropped) {
      if (kept.has(field) && !used.contains(new Gated(plan.struct, field))) {
        kept = kept.without(field);
      }
    }
    for (Map.Entry<String, StructSchema> below : plan.below.entrySet()) {
      Node value = kept.get(below.getKey());
      if (value != null) {
        Node rest = without(value, below.getValue(), used);
        kept = rest == value ? kept : kept.with(below.getKey(), rest);
      }
    }
    return kept;
  }

  private Node without(Node value, StructSchema schema, Set<Gated> used) {
    if (value instanceof MapNode map) {
      return without(map, schema, used);
    }
    if (!(value instanceof Node.Items items)) {
      return value;
    }
    List<Node> kept = new ArrayList<>(items.values().size());
    boolean changed = false;
    for (Node item : items.values()) {
      Node rest = without(item, schema, used);
      changed |= rest != item;
      kept.add(rest);
    }
    return changed ? new Node.Items(kept) : value;
  }

  private Plan plan(StructSchema schema) {
    Plan known = plans.get(schema);
    if (known == null) {
      known = made(schema);
      plans.put(schema, known);
    }
    return known;
  }

  private static Plan made(StructSchema schema) {
    Map<String, StructSchema> below = new ConcurrentHashMap<>();
    for (Field field : schema.fields()) {
      StructSchema struct = structIn(field.type());
      if (struct != null && reaches(struct, new HashSet<>())) {
        below.put(field.name(), struct);
      }
    }
    return new Plan(
        schema.shortName(),
        BY_STRUCT.getOrDefault(schema.shortName(), Set.of()),
        Map.copyOf(below));
  }

  private static boolean reaches(StructSchema schema, Set<StructSchema> seen) {
    if (!seen.add(schema)) {
      return false;
    }
    if (BY_STRUCT.containsKey(schema.shortName())) {
      return true;
    }
    for (Field field : schema.fields()) {
      StructSchema struct = structIn(field.type());
      if (struct != null && reaches(struct, seen)) {
        return true;
      }
    }
    return false;
  }

  /** The struct that stands in a field, by itself or in a list; no map holds one of these. */
  private static @Nullable StructSchema structIn(SchemaNode type) {
    return switch (type) {
      case StructSchema struct -> struct;
      case SchemaNode.ListOf list -> structIn(list.element());
      case SchemaNode.MapOf _, SchemaNode.Scalar _, SchemaNode.Free _ -> null;
    };
  }
}
