package dev.keelson.server.tool;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.object.OwnerReference;
import dev.keelson.schema.BuiltInResources;
import dev.keelson.schema.ResourceCatalog;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.schema.codec.stored.StoredForm;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.conversion.FormerVersions;
import dev.keelson.schema.proto.ProtoSchemas;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.Entry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Decodes the objects of a store as a server does, and remembers who owns whom. */
final class ObjectCheck {

  /** What Kubernetes puts in front of every value that it encrypts (value.PrefixTransformer). */
  private static final Bytes ENCRYPTED = Bytes.utf8("k8s:enc:");

  /** What is below the root and no object: of Keelson, and of kube-apiserver. */
  private static final List<String> NOT_OBJECTS =
      List.of("keelson.dev/", "masterleases/", "peerserverleases/", "ranges/");

  /** Custom types are not known here; their metadata is that of all objects. */
  private static final String PARTIAL =
      "io.k8s.apimachinery.pkg.apis.meta.v1.PartialObjectMetadata";

  /** An owner that an object names. */
  private record Owned(String key, String namespace, OwnerReference owner) {}

  private final ProtoSchemas schemas = ProtoSchemas.fromClassPath();
  private final FormerVersions former = new FormerVersions(schemas::struct);
  private final ResourceCatalog.Snapshot catalog =
      new ResourceCatalog(BuiltInResources.all(schemas::struct)).snapshot();

  /** The namespace of each object by uid; empty for cluster-scoped ones. */
  private final Map<String, String> namespaces = new HashMap<>();

  private final List<Owned> owned = new ArrayList<>();
  private long encrypted;

  /** How many values are encrypted, so that they could not be decoded. */
  long encrypted() {
    return encrypted;
  }

  /**
   * Decodes one value.
   *
   * @param root the prefix of all keys, without a trailing slash
   * @return what is wrong; empty if nothing is
   */
  String check(String root, Entry entry) {
    String key = entry.key().utf8();
    if (!key.startsWith(root + "/")) {
      // compact_rev_key, or of another program
      return "";
    }
    String path = key.substring(root.length() + 1);
    if (NOT_OBJECTS.stream().anyMatch(path::startsWith)) {
      return "";
    }
    if (entry.value().startsWith(ENCRYPTED)) {
      encrypted++;
      return "";
    }
    try {
      byte[] value = entry.value().array();
      GroupVersionKind kind = StoredForm.kindOf(value);
      MapNode object = StoredForm.decode(value, schema(kind));
      return inspect(key, new ObjectMeta(object.map("metadata")));
    } catch (DecodeException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** The schema of a kind; of custom ones only the metadata is decoded. */
  private StructSchema schema(GroupVersionKind kind) {
    FormerVersions.FormerVersion older = former.find(kind);
    return older != null
        ? older.schema()
        : catalog
            .find(kind)
            .map(ResourceDefinition::schema)
            .orElseGet(() -> schemas.struct(PARTIAL));
  }

  private String inspect(String key, ObjectMeta meta) {
    String own = meta.namespace().isEmpty() ? meta.name() : meta.namespace() + "/" + meta.name();
    if (meta.name().isEmpty() || !key.endsWith("/" + own)) {
      return "holds the object \"" + own + "\"";
    }
    if (meta.uid().isEmpty()) {
      return "has no uid";
    }
    namespaces.put(meta.uid(), meta.namespace());
    for (OwnerReference owner : OwnerReference.of(meta)) {
      owned.add(new Owned(key, meta.namespace(), owner));
    }
    return "";
  }

  /** The owners that do not exist, or are in another namespace than what they own. */
  List<String> danglingOwners() {
    List<String> lines = new ArrayList<>();
    for (Owned each : owned) {
      String namespace = namespaces.get(each.owner().uid());
      if (namespace == null || !(namespace.isEmpty() || namespace.equals(each.namespace()))) {
        lines.add(
            "%s is owned by %s %s (uid %s), which %s"
                .formatted(
                    each.key(),
                    each.owner().kind(),
                    each.owner().name(),
                    each.owner().uid(),
                    namespace == null ? "does not exist" : "is in another namespace"));
      }
    }
    return lines;
  }
}
