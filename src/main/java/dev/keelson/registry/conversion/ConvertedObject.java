package dev.keelson.registry.conversion;

import dev.keelson.api.FieldCause;
import dev.keelson.api.GroupVersion;
import dev.keelson.api.Names;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Checks an object that a webhook converted, and restores the metadata that it may not change. */
final class ConvertedObject {

  private static final int MAX_ANNOTATION_BYTES = 256 * 1024;

  private ConvertedObject() {}

  /** What is wrong with a converted object, and in what of it. */
  static final class Rejected extends Exception {

    private static final long serialVersionUID = 1L;

    private final Part part;

    Rejected(Part part, String message) {
      super(message);
      this.part = part;
    }

    Part part() {
      return part;
    }
  }

  /** What of a converted object is wrong. */
  enum Part {
    /** It is no object with a kind. */
    FORM,
    /** Its version or kind. */
    TYPE,
    /** Its identity. */
    OBJECT,
    /** Its metadata. */
    METADATA
  }

  /**
   * The converted object with the metadata of the original except for labels and annotations.
   *
   * @throws Rejected if the webhook changed what it may not
   */
  static MapNode checked(MapNode original, Node received, GroupVersion target) throws Rejected {
    if (!(received instanceof MapNode converted)) {
      throw new Rejected(Part.FORM, "expected an object, but got " + goType(received));
    }
    if (converted.text("kind").isEmpty()) {
      throw new Rejected(Part.FORM, "Object 'Kind' is missing");
    }
    if (!converted.text("apiVersion").equals(target.toString())) {
      throw new Rejected(
          Part.TYPE,
          "invalid groupVersion (expected "
              + target
              + ", received "
              + converted.text("apiVersion")
              + ")");
    }
    if (!converted.text("kind").equals(original.text("kind"))) {
      throw new Rejected(
          Part.TYPE,
          "invalid kind (expected "
              + original.text("kind")
              + ", received "
              + converted.text("kind")
              + ")");
    }
    same("name", "name", original, converted);
    same("namespace", "namespace", original, converted);
    same("UID", "uid", original, converted);
    return converted.with("metadata", metadata(original, converted));
  }

  private static void same(String name, String field, MapNode original, MapNode converted)
      throws Rejected {
    String expected = original.map("metadata").text(field);
    String got = converted.map("metadata").text(field);
    if (!expected.equals(got)) {
      throw new Rejected(
          Part.OBJECT, "must have the same " + name + ": " + expected + " != " + got);
    }
  }

  private static MapNode metadata(MapNode original, MapNode converted) throws Rejected {
    Node received = converted.get("metadata");
    if (received == null) {
      throw new Rejected(Part.METADATA, "missing metadata in converted object");
    }
    if (!(received instanceof MapNode theirs)) {
      throw new Rejected(
          Part.METADATA, "invalid metadata of type " + goType(received) + " in converted object");
    }
    MapNode restored = original.map("metadata");
    for (String field : List.of("labels", "annotations")) {
      Node value = theirs.get(field);
      if (value == null || value == Node.Null.NULL) {
        restored = restored.without(field);
      } else if (value instanceof MapNode entries) {
        check(field, entries, restored.get(field));
        restored = restored.with(field, entries);
      } else {
        throw new Rejected(
            Part.METADATA,
            "invalid metadata." + field + " of type " + goType(value) + " in converted object");
      }
    }
    return restored;
  }

  private static void check(String field, MapNode entries, @Nullable Node before) throws Rejected {
    for (int i = 0; i < entries.size(); i++) {
      if (!(entries.valueAt(i) instanceof Node.Text)) {
        throw new Rejected(
            Part.METADATA,
            "metadata."
                + field
                + "["
                + entries.keyAt(i)
                + "] must be a string, but is "
                + goType(entries.valueAt(i))
                + " in converted object");
      }
    }
    if (Objects.equals(entries, before)) {
      return;
    }
    List<FieldCause> causes = field.equals("labels") ? labels(entries) : annotations(entries);
    if (!causes.isEmpty()) {
      List<String> all = causes.stream().map(FieldCause::summary).distinct().toList();
      String text = String.join(", ", all);
      throw new Rejected(Part.METADATA, all.size() == 1 ? text : "[" + text + "]");
    }
  }

  private static List<FieldCause> labels(MapNode labels) {
    String path = "metadata.labels";
    List<FieldCause> causes = new ArrayList<>();
    for (String key : labels.keys()) {
      String value = labels.text(key);
      causes.addAll(FieldCause.eachInvalid(path, key, Names.qualifiedName(key)));
      causes.addAll(FieldCause.eachInvalid(path, value, Names.labelValue(value)));
    }
    return causes;
  }

  private static List<FieldCause> annotations(MapNode annotations) {
    // kube-apiserver names this path, without the s
    String path = "metadata.annotation";
    List<FieldCause> causes = new ArrayList<>();
    long bytes = 0;
    for (String key : annotations.keys()) {
      causes.addAll(
          FieldCause.eachInvalid(path, key, Names.qualifiedName(key.toLowerCase(Locale.ROOT))));
      bytes += key.getBytes(StandardCharsets.UTF_8).length;
      bytes += annotations.text(key).getBytes(StandardCharsets.UTF_8).length;
    }
    if (bytes > MAX_ANNOTATION_BYTES) {
      causes.add(
          new FieldCause(
              "FieldValueTooLong",
              "Too long: may not be more than " + MAX_ANNOTATION_BYTES + " bytes",
              path));
    }
    return causes;
  }

  /** The type of a JSON value in Go. */
  private static String goType(Node value) {
    return switch (value) {
      case Node.Text _ -> "string";
      case Node.Int _ -> "int64";
      case Node.Decimal _ -> "float64";
      case Node.Bool _ -> "bool";
      case Node.Null _ -> "<nil>";
      case Node.Items _ -> "[]interface {}";
      case MapNode _ -> "map[string]interface {}";
    };
  }
}
