package dev.keelson.schema.validation;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.SchemaNode;
import dev.keelson.schema.SchemaNode.Field;
import dev.keelson.schema.SchemaNode.StructSchema;
import dev.keelson.value.GoQuote;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A value as kube-apiserver's own, unversioned structs look when Go's encoder writes them: fields
 * under their Go names, all of them, what is not set as {@code null} or zero. Values in causes are
 * shown in this form, and differences, then with an indentation of one.
 */
public final class InternalVersion {
  /**
   * The Go names of JSON names that begin with an initialism or contain one in another case, in
   * whatever struct.
   */
  private static final Map<String, String> GO_NAMES =
      Map.ofEntries(
          Map.entry("fsType", "FSType"),
          Map.entry("uid", "UID"),
          Map.entry("tty", "TTY"),
          Map.entry("ip", "IP"),
          Map.entry("wwids", "WWIDs"),
          Map.entry("pdName", "PDName"),
          Map.entry("httpHeaders", "HTTPHeaders"),
          Map.entry("iqn", "IQN"),
          Map.entry("iscsiInterface", "ISCSIInterface"),
          Map.entry("httpGet", "HTTPGet"),
          Map.entry("tcpSocket", "TCPSocket"),
          Map.entry("apiVersion", "APIVersion"),
          Map.entry("gcePersistentDisk", "GCEPersistentDisk"),
          Map.entry("awsElasticBlockStore", "AWSElasticBlockStore"),
          Map.entry("nfs", "NFS"),
          Map.entry("rbd", "RBD"),
          Map.entry("iscsi", "ISCSI"),
          Map.entry("cephfs", "CephFS"),
          Map.entry("fc", "FC"),
          Map.entry("storageos", "StorageOS"),
          Map.entry("csi", "CSI"),
          Map.entry("seLinuxOptions", "SELinuxOptions"),
          Map.entry("seLinuxChangePolicy", "SELinuxChangePolicy"),
          Map.entry("fsGroup", "FSGroup"),
          Map.entry("fsGroupChangePolicy", "FSGroupChangePolicy"),
          Map.entry("dnsPolicy", "DNSPolicy"),
          Map.entry("dnsConfig", "DNSConfig"),
          Map.entry("os", "OS"),
          Map.entry("grpc", "GRPC"),
          Map.entry("sslEnabled", "SSLEnabled"),
          Map.entry("apiGroup", "APIGroup"),
          Map.entry("gmsaCredentialSpecName", "GMSACredentialSpecName"),
          Map.entry("gmsaCredentialSpec", "GMSACredentialSpec"));

  /** Of a pod's spec the unversioned struct has these in the security context. */
  private static final List<String> IN_SECURITY_CONTEXT =
      List.of("hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers");

  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
  private static final String CORE = "io.k8s.api.core.v1.";
  private static final String POD_SPEC = CORE + "PodSpec";

  /**
   * By the full name of the struct: a field and the one that follows it in the unversioned struct
   * alone.
   */
  private static final Map<String, Map<String, String>> MOVED =
      Map.of(
          POD_SPEC,
          Map.of(
              "subdomain", "setHostnameAsFQDN",
              "priority", "preemptionPolicy",
              "runtimeClassName", "overhead"),
          CORE + "PodSecurityContext",
          Map.of("fsGroup", "fsGroupChangePolicy"));

  private static final Set<String> LEFT_OUT = Set.of("serviceAccount");
  private final StringBuilder text = new StringBuilder();

  private final boolean indented;

  private InternalVersion(boolean indented) {
    this.indented = indented;
  }

  /** {@code value} on one line. */
  public static String of(Node value, SchemaNode type) {
    InternalVersion form = new InternalVersion(false);
    form.value(value, type, 0);
    return form.text.toString();
  }

  /** The lines of {@code value}, without their ends. */
  public static List<String> lines(MapNode value, StructSchema schema) {
    InternalVersion form = new InternalVersion(true);
    form.struct(value, schema, schema.fields(), 0);
    return form.text.toString().lines().toList();
  }

  /** As {@link #lines(MapNode, StructSchema)}, of some fields of the struct alone. */
  public static List<String> lines(MapNode value, StructSchema schema, Set<String> without) {
    InternalVersion form = new InternalVersion(true);
    form.struct(
        value,
        schema,
        schema.fields().stream().filter(field -> !without.contains(field.name())).toList(),
        0);
    return form.text.toString().lines().toList();
  }

  private void struct(MapNode value, StructSchema schema, List<Field> fields, int depth) {
    boolean pod = schema.name().equals(POD_SPEC);
    text.append('{');
    boolean first = true;
    for (Field field : order(schema, fields)) {
      if (pod && (IN_SECURITY_CONTEXT.contains(field.name()) || LEFT_OUT.contains(field.name()))) {
        continue;
      }
      if (field.type() instanceof StructSchema meta && isMetadata(meta)) {
        first = embedded(value.map(field.name()), first, depth + 1);
        continue;
      }
      first = next(first, depth + 1);
      name(field);
      if (pod && field.name().equals("securityContext")) {
        securityContext(value, schema, field, depth + 1);
      } else {
        field(value.get(field.name()), field, depth + 1);
      }
    }
    line(depth);
    text.append('}');
  }

  /** The metadata of an unversioned struct has no name of its own. */
  private boolean embedded(MapNode metadata, boolean first, int depth) {
    boolean none = first;
    for (String key : metadata.keys()) {
      Node value = metadata.get(key);
      if (value != null) {
        none = next(none, depth);
        text.append(GoQuote.quote(key)).append(indented ? ": " : ":");
        value(value, SchemaNode.Free.RAW_JSON, depth);
      }
    }
    return none;
  }

  /** The fields in the order of the unversioned struct. */
  private static List<Field> order(StructSchema schema, List<Field> fields) {
    Map<String, String> moved = MOVED.get(schema.name());
    if (moved == null) {
      return fields;
    }
    List<Field> ordered = new ArrayList<>();
    for (Field field : fields) {
      if (!moved.containsValue(field.name())) {
        ordered.add(field);
        Field next = schema.field(moved.getOrDefault(field.name(), ""));
        if (next != null) {
          ordered.add(next);
        }
      }
    }
    return ordered;
  }

  private void securityContext(MapNode pod, StructSchema schema, Field field, int depth) {
    if (!(field.type() instanceof StructSchema context)) {
      throw new IllegalStateException("a pod's security context is no struct");
    }
    MapNode value = pod.map("securityContext");
    text.append('{');
    boolean first = true;
    for (String name : IN_SECURITY_CONTEXT) {
      Field each = schema.field(name);
      if (each != null) {
        first = next(first, depth + 1);
        name(each);
        field(pod.get(name), each, depth + 1);
      }
    }
    for (Field each : order(context, context.fields())) {
      first = next(first, depth + 1);
      name(each);
      field(value.get(each.name()), each, depth + 1);
    }
    line(depth);
    text.append('}');
  }

  private void name(Field field) {
    String json = field.name();
    String go = field.rules().goName();
    if (go.isEmpty()) {
      go = GO_NAMES.getOrDefault(json, Character.toUpperCase(json.charAt(0)) + json.substring(1));
    }
    text.append('"').append(go).append(indented ? "\": " : "\":");
  }

  private void field(@Nullable Node value, Field field, int depth) {
    boolean pointer =
        field.presence() == Field.Presence.POINTER || field.presence() == Field.Presence.NULLABLE;
    if (value == null || value == Node.Null.NULL) {
      if (pointer) {
        text.append("null");
      } else {
        zero(field.type(), field.presence(), depth);
      }
    } else {
      value(value, field.type(), depth);
    }
  }

  private void zero(SchemaNode type, Field.Presence presence, int depth) {
    switch (type) {
      case StructSchema struct -> {
        if (presence != Field.Presence.VALUE && presence != Field.Presence.OMIT_ZERO) {
          text.append("null");
        } else if (isTagged(struct)) {
          text.append("{}");
        } else {
          struct(MapNode.EMPTY, struct, struct.fields(), depth);
        }
      }
      case SchemaNode.Scalar scalar ->
          text.append(
              switch (scalar) {
                case STRING -> "\"\"";
                case INT32, INT64, UINT32, UINT64, DOUBLE, INT_OR_STRING -> "0";
                case BOOL -> "false";
                case QUANTITY -> "\"0\"";
                case BYTES, TIME, MICRO_TIME, DURATION -> "null";
              });
      case SchemaNode.ListOf _,
          SchemaNode.MapOf _,
          SchemaNode.Free _,
          SchemaNode.Union _,
          SchemaNode.Structural _ ->
          text.append("null");
    }
  }

  private void value(Node value, SchemaNode type, int depth) {
    if (type instanceof StructSchema struct && value instanceof MapNode map && !isTagged(struct)) {
      struct(map, struct, struct.fields(), depth);
    } else if (type instanceof SchemaNode.ListOf list && value instanceof Node.Items items) {
      list(items.values(), list.element(), depth);
    } else if (value instanceof MapNode map) {
      entries(map, type, depth);
    } else if (value instanceof Node.Items items) {
      list(items.values(), SchemaNode.Free.RAW_JSON, depth);
    } else {
      text.append(BadValue.of(value));
    }
  }

  private void list(List<Node> values, SchemaNode element, int depth) {
    text.append('[');
    for (int i = 0; i < values.size(); i++) {
      next(i == 0, depth + 1);
      value(values.get(i), element, depth + 1);
    }
    if (!values.isEmpty()) {
      line(depth);
    }
    text.append(']');
  }

  /** The entries of a map by their keys, or what a struct of the meta group shows of itself. */
  private void entries(MapNode map, SchemaNode type, int depth) {
    SchemaNode element =
        type instanceof SchemaNode.MapOf of ? of.value() : SchemaNode.Free.RAW_JSON;
    boolean sorted = type instanceof SchemaNode.MapOf;
    text.append('{');
    boolean first = true;
    for (String key : sorted ? new TreeSet<>(map.keys()) : map.keys()) {
      first = next(first, depth + 1);
      text.append(GoQuote.quote(key)).append(indented ? ": " : ":");
      Node value = map.get(key);
      if (value == null) {
        text.append("null");
      } else {
        value(value, element, depth + 1);
      }
    }
    if (!first) {
      line(depth);
    }
    text.append('}');
  }

  private static boolean isMetadata(StructSchema struct) {
    return struct.name().equals(META + "ObjectMeta");
  }

  /** The meta group's structs are the same in every version, so they have JSON names. */
  private static boolean isTagged(StructSchema struct) {
    return struct.name().startsWith(META);
  }

  private boolean next(boolean first, int depth) {
    if (!first) {
      text.append(',');
    }
    line(depth);
    return false;
  }

  private void line(int depth) {
    if (indented) {
      text.append('\n').repeat(' ', depth);
    }
  }
}
