package dev.keelson.cel.admission;

import dev.keelson.cel.type.DataType;
import dev.keelson.cel.type.DataType.Kind;
import dev.keelson.cel.type.DataType.ListKind;
import java.util.List;
import java.util.Map;

/** The types of {@code request} and {@code namespaceObject}. */
final class AdmissionTypes {

  private static final DataType TEXT = DataType.simple(Kind.STRING, "string", 0, 0);
  private static final DataType TIME = DataType.simple(Kind.DATE_TIME, "timestamp", 0, 0);
  private static final DataType TEXTS = list(TEXT);
  private static final DataType TEXT_MAP = DataType.map(TEXT, 0);

  /** {@code request}. */
  static final DataType REQUEST = request();

  /** {@code namespaceObject}: not every field of a Namespace. */
  static final DataType NAMESPACE = namespace();

  private AdmissionTypes() {}

  private static DataType list(DataType element) {
    return DataType.list(element, ListKind.ATOMIC, List.of(), 0);
  }

  private static DataType object(String name, Map<String, DataType> fields) {
    return DataType.object("kubernetes." + name, fields, 0);
  }

  private static DataType request() {
    DataType kind =
        object("GroupVersionKind", Map.of("group", TEXT, "version", TEXT, "kind", TEXT));
    DataType resource =
        object("GroupVersionResource", Map.of("group", TEXT, "version", TEXT, "resource", TEXT));
    DataType user =
        object(
            "UserInfo",
            Map.of(
                "username", TEXT, "uid", TEXT, "groups", TEXTS, "extra", DataType.map(TEXTS, 0)));
    return object(
        "AdmissionRequest",
        Map.ofEntries(
            Map.entry("kind", kind),
            Map.entry("resource", resource),
            Map.entry("subResource", TEXT),
            Map.entry("requestKind", kind),
            Map.entry("requestResource", resource),
            Map.entry("requestSubResource", TEXT),
            Map.entry("name", TEXT),
            Map.entry("namespace", TEXT),
            Map.entry("operation", TEXT),
            Map.entry("userInfo", user),
            Map.entry("dryRun", DataType.BOOL),
            Map.entry("options", DataType.DYN)));
  }

  private static DataType namespace() {
    DataType condition =
        object(
            "NamespaceCondition",
            Map.of(
                "status",
                TEXT,
                "type",
                TEXT,
                "lastTransitionTime",
                TIME,
                "message",
                TEXT,
                "reason",
                TEXT));
    DataType metadata =
        object(
            "NamespaceMetadata",
            Map.ofEntries(
                Map.entry("name", TEXT),
                Map.entry("generateName", TEXT),
                Map.entry("namespace", TEXT),
                Map.entry("labels", TEXT_MAP),
                Map.entry("annotations", TEXT_MAP),
                Map.entry("UID", TEXT),
                Map.entry("creationTimestamp", TIME),
                Map.entry("deletionGracePeriodSeconds", DataType.INT),
                Map.entry("deletionTimestamp", TIME),
                Map.entry("generation", DataType.INT),
                Map.entry("resourceVersion", TEXT),
                Map.entry("finalizers", TEXTS)));
    return object(
        "Namespace",
        Map.of(
            "metadata",
            metadata,
            "spec",
            object("NamespaceSpec", Map.of("finalizers", TEXTS)),
            "status",
            object("NamespaceStatus", Map.of("conditions", list(condition), "phase", TEXT))));
  }
}
