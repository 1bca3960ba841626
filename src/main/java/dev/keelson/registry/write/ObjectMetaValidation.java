package dev.keelson.registry.write;

import dev.keelson.api.ApiException;
import dev.keelson.api.CauseList;
import dev.keelson.api.FieldCause;
import dev.keelson.api.Names;
import dev.keelson.object.Annotations;
import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.object.ObjectMeta;
import dev.keelson.registry.fieldmanager.ManagerNames;
import dev.keelson.schema.NameRule;
import dev.keelson.schema.ResourceDefinition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Validates the metadata of every object (source: Kubernetes' API conventions and object metadata
 * validation).
 */
public final class ObjectMetaValidation {

  private static final String GRACE = "deletionGracePeriodSeconds";
  private static final int MAX_SUBRESOURCE_BYTES = 256;
  private static final int LONGEST_CHECKED_NAME = 1024;
  private static final Set<String> PLAIN_FINALIZERS =
      Set.of("kubernetes", "orphan", "foregroundDeletion");

  /** Groups of which kube-apiserver takes finalizers without a slash, as of custom resources. */
  private static final Set<String> PLAIN_GROUPS =
      Set.of(
          "apiextensions.k8s.io",
          "apiregistration.k8s.io",
          "admissionregistration.k8s.io",
          "coordination.k8s.io");

  private ObjectMetaValidation() {}

  /** Validates the names of finalizers that are not qualified by a domain. */
  static void validateFinalizers(
      ResourceDefinition definition, ObjectMeta meta, List<FieldCause> causes) {
    if (definition.custom() != null || PLAIN_GROUPS.contains(definition.gvr().group())) {
      return;
    }
    List<String> finalizers = meta.finalizers();
    for (int i = 0; i < finalizers.size(); i++) {
      String name = finalizers.get(i);
      if (name.indexOf('/') < 0 && !PLAIN_FINALIZERS.contains(name)) {
        causes.add(
            FieldCause.invalid(
                "metadata.finalizers[" + i + "]",
                name,
                "name is neither a standard finalizer name nor is it fully qualified"));
      }
    }
  }

  /**
   * Warns of new finalizers of a custom resource that are not qualified by a domain, which may
   * conflict with those of others.
   *
   * @param current the metadata before the write, null if there is none
   */
  static void warnOfFinalizers(
      ResourceDefinition definition,
      ObjectMeta meta,
      @Nullable ObjectMeta current,
      Consumer<String> warnings) {
    if (definition.custom() == null || meta.node().items("finalizers").isEmpty()) {
      return;
    }
    Set<String> added = new TreeSet<>(meta.finalizers());
    if (current != null) {
      current.finalizers().forEach(added::remove);
    }
    for (String name : added) {
      if (name.indexOf('/') < 0 && !PLAIN_FINALIZERS.contains(name)) {
        warnings.accept(
            "metadata.finalizers: \""
                + name
                + "\": prefer a domain-qualified finalizer name including a path (/) to avoid"
                + " accidental conflicts with other finalizer writers");
      }
    }
  }

  /** The causes to reject the metadata of a new object. */
  static List<FieldCause> validate(ObjectMeta meta, NameRule rule) {
    CauseList causes = new CauseList();
    if (!meta.generateName().isEmpty()) {
      causes.addAll(
          FieldCause.eachInvalid(
              "metadata.generateName",
              meta.generateName(),
              name(rule, completed(meta.generateName()))));
    }
    if (meta.name().isEmpty()) {
      causes.add(FieldCause.required("metadata.name", "name or generateName is required"));
    } else {
      causes.addAll(FieldCause.eachInvalid("metadata.name", meta.name(), name(rule, meta.name())));
    }
    common(meta, causes);
    return causes;
  }

  /**
   * The causes to reject the metadata of an object that is embedded in another. Its name may be any
   * path segment.
   *
   * @param path where it is, for example {@code spec.template.metadata}
   */
  public static List<FieldCause> validateEmbedded(ObjectMeta meta, String path) {
    List<FieldCause> causes = validate(meta, NameRule.PATH_SEGMENT);
    if (!meta.namespace().isEmpty()) {
      causes.addAll(
          FieldCause.eachInvalid(
              "metadata.namespace", meta.namespace(), Names.dnsLabel(meta.namespace())));
    }
    String above = path.substring(0, path.length() - "metadata".length());
    return causes.stream()
        .map(cause -> new FieldCause(cause.reason(), cause.message(), above + cause.field()))
        .toList();
  }

  /** The causes to reject updated metadata, by itself and as a change of the current one. */
  static List<FieldCause> validateUpdate(ObjectMeta meta, ObjectMeta current) {
    CauseList causes = new CauseList();
    if (current.deleting()) {
      List<String> added = new ArrayList<>(meta.finalizers());
      added.removeAll(new HashSet<>(current.finalizers()));
      if (!added.isEmpty()) {
        causes.add(
            FieldCause.forbidden(
                "metadata.finalizers",
                "no new finalizers can be added if the object is being deleted, found new"
                    + " finalizers "
                    + goList(added)));
      }
    }
    for (String field : List.of("name", "namespace", "uid", "deletionTimestamp")) {
      String value = meta.node().text(field);
      if (!value.equals(current.node().text(field))) {
        causes.add(FieldCause.invalid("metadata." + field, value, "field is immutable"));
      }
    }
    if (meta.node().get(GRACE) instanceof Node.Int grace
        && !grace.equals(current.node().get(GRACE))) {
      causes.add(FieldCause.invalid("metadata." + GRACE, grace.value(), "field is immutable"));
    }
    causes.addAll(
        FieldCause.eachInvalid(
            "metadata.generateName",
            meta.generateName(),
            name(NameRule.PATH_SEGMENT, meta.generateName())));
    common(meta, causes);
    return causes;
  }

  /**
   * Checks the managers of fields, which clients may name.
   *
   * @throws ApiException of reason Invalid if a name is too long or not printable
   */
  static void checkManagers(ResourceDefinition definition, ObjectMeta meta) {
    List<Node> entries = meta.node().items("managedFields");
    List<FieldCause> causes = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      if (entries.get(i) instanceof MapNode entry) {
        String manager = entry.text("manager");
        String subresource = entry.text("subresource");
        if (ManagerNames.isPlain(manager) && subresource.length() <= MAX_SUBRESOURCE_BYTES / 4) {
          continue;
        }
        String path = "metadata.managedFields[" + i + "].";
        causes.addAll(ManagerNames.causes(path + "manager", manager));
        if (subresource.getBytes(StandardCharsets.UTF_8).length > MAX_SUBRESOURCE_BYTES) {
          causes.add(
              new FieldCause(
                  "FieldValueTooLong",
                  "Too long: may not be more than " + MAX_SUBRESOURCE_BYTES + " bytes",
                  path + "subresource"));
        }
      }
    }
    if (!causes.isEmpty()) {
      throw ApiException.invalid(definition.gvk(), meta.name(), causes);
    }
  }

  private static void common(ObjectMeta meta, CauseList causes) {
    if (meta.generation() < 0) {
      causes.add(
          FieldCause.invalid(
              "metadata.generation", meta.generation(), "must be greater than or equal to 0"));
    }
    labels(meta.labels(), causes);
    annotations(meta.node().map("annotations"), causes);
    owners(meta.node().items("ownerReferences"), causes);
    finalizers(meta.finalizers(), causes);
    exclusiveFinalizers(meta.finalizers(), causes);
  }

  private static void labels(Map<String, String> labels, List<FieldCause> causes) {
    labels.forEach(
        (key, value) -> {
          causes.addAll(FieldCause.eachInvalid("metadata.labels", key, Names.qualifiedName(key)));
          causes.addAll(FieldCause.eachInvalid("metadata.labels", value, Names.labelValue(value)));
        });
  }

  private static void annotations(MapNode annotations, List<FieldCause> causes) {
    for (int i = 0; i < annotations.size(); i++) {
      String key = annotations.keyAt(i);
      causes.addAll(
          FieldCause.eachInvalid(
              "metadata.annotations", key, Names.qualifiedName(key.toLowerCase(Locale.ROOT))));
    }
    if (Annotations.areTooLarge(annotations)) {
      causes.add(
          new FieldCause(
              "FieldValueTooLong",
              "Too long: may not be more than " + Annotations.MAX_BYTES + " bytes",
              "metadata.annotations"));
    }
  }

  private static void finalizers(List<String> finalizers, List<FieldCause> causes) {
    for (String name : finalizers) {
      causes.addAll(FieldCause.eachInvalid("metadata.finalizers", name, Names.qualifiedName(name)));
    }
  }

  private static void exclusiveFinalizers(List<String> finalizers, List<FieldCause> causes) {
    if (finalizers.contains("orphan") && finalizers.contains("foregroundDeletion")) {
      causes.add(
          new FieldCause(
              "FieldValueInvalid",
              "Invalid value: [\""
                  + String.join("\",\"", finalizers)
                  + "\"]: finalizer orphan and foregroundDeletion cannot be both set",
              "metadata.finalizers"));
    }
  }

  private static void owners(List<Node> owners, CauseList causes) {
    List<String> controllers = new ArrayList<>();
    for (Node item : owners) {
      if (item instanceof MapNode owner) {
        String version = owner.text("apiVersion");
        if (!hasVersion(version)) {
          causes.add(
              FieldCause.invalid(
                  "metadata.ownerReferences.apiVersion", version, "version must not be empty"));
        }
        for (String field : List.of("kind", "name", "uid")) {
          if (owner.text(field).isEmpty()) {
            // Kubernetes names the part that is missing for the kind alone
            String what = field.equals("kind") ? "kind " : "";
            causes.add(
                FieldCause.invalid(
                    "metadata.ownerReferences." + field, "", what + "must not be empty"));
          }
        }
        if (owner.text("apiVersion").equals("v1") && owner.text("kind").equals("Event")) {
          causes.add(
              owners(List.of(owner), false, "/v1, Kind=Event is disallowed from being an owner"));
        }
        if (owner.get("controller") == Node.Bool.TRUE) {
          controllers.add(owner.text("kind") + "/" + owner.text("name"));
        }
      }
    }
    for (int i = 1; i < controllers.size(); i++) {
      if (causes.full()) {
        // each would show all owners
        causes.omit(controllers.size() - i);
        return;
      }
      causes.add(
          owners(
              owners,
              true,
              "Only one reference can have Controller set to true. Found \"true\" in references for"
                  + " "
                  + controllers.getFirst()
                  + " and "
                  + controllers.get(i)));
    }
  }

  /** Whether there is a version in {@code [group/]version}; what is not of that form has none. */
  private static boolean hasVersion(String apiVersion) {
    int slash = apiVersion.indexOf('/');
    return slash < apiVersion.length() - 1 && apiVersion.indexOf('/', slash + 1) < 0;
  }

  /** A cause that shows all owners, or one. */
  private static FieldCause owners(List<Node> shown, boolean all, String detail) {
    StringBuilder text = new StringBuilder("Invalid value: ").append(all ? "[" : "");
    for (Node item : shown) {
      if (item instanceof MapNode owner) {
        text.append(text.charAt(text.length() - 1) == '}' ? ",{" : "{");
        String comma = "";
        for (int i = 0; i < owner.size(); i++) {
          text.append(comma).append('"').append(owner.keyAt(i)).append("\":");
          Node value = owner.valueAt(i);
          boolean quoted = value instanceof Node.Text;
          text.append(quoted ? "\"" : "")
              .append(quoted ? owner.text(owner.keyAt(i)) : value == Node.Bool.TRUE)
              .append(quoted ? "\"" : "");
          comma = ",";
        }
        text.append('}');
      }
    }
    return new FieldCause(
        "FieldValueInvalid",
        text.append(all ? "]" : "").append(": ").append(detail).toString(),
        "metadata.ownerReferences");
  }

  /**
   * The problem with {@code name} under {@code rule}, or empty. Very long names are rejected before
   * a pattern is matched.
   */
  static String name(NameRule rule, String name) {
    if (name.length() > LONGEST_CHECKED_NAME) {
      return "must be no more than 253 characters";
    }
    return switch (rule) {
      case DNS_SUBDOMAIN -> Names.dnsSubdomain(name);
      case DNS_LABEL -> Names.dnsLabel(name);
      case PATH_SEGMENT -> Names.pathSegment(name);
    };
  }

  /** A generateName may end in a dash, which the suffix follows. */
  private static String completed(String prefix) {
    return prefix.endsWith("-") ? prefix + "a" : prefix;
  }

  private static String goList(List<String> values) {
    return "[]string{\"" + String.join("\", \"", values) + "\"}";
  }
}
