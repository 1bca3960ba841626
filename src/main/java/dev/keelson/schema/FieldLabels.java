package dev.keelson.schema;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The field labels of a resource: the fields that field selectors support (source: the field label
 * conversions of its API groups).
 *
 * @param paths the labels beyond {@code metadata.name} and {@code metadata.namespace}, each with
 *     the dotted JSON paths in this version of which the first non-empty value counts; a label
 *     without a path is empty for every object
 * @param namespace whether {@code metadata.namespace} is a label
 * @param aliases former names of labels, with their current names
 * @param unsupported the error for an unknown label, in which {@code %s} is replaced by it
 */
public record FieldLabels(
    Map<String, List<String>> paths,
    boolean namespace,
    Map<String, String> aliases,
    String unsupported) {

  /** The error of a type with field labels beyond the common ones, and of custom resources. */
  public static final String UNSUPPORTED = "field label not supported: %s";

  /** The error of a type without further field labels. */
  static final String UNKNOWN =
      "\"%s\" is not a known field selector: only \"metadata.name\", \"metadata.namespace\"";

  /** The labels that every resource has. */
  public static final FieldLabels COMMON = new FieldLabels(Map.of(), true, Map.of(), UNKNOWN);

  public FieldLabels {
    Map<String, List<String>> copy = new LinkedHashMap<>();
    paths.forEach((label, alternatives) -> copy.put(label, List.copyOf(alternatives)));
    paths = Collections.unmodifiableMap(copy);
    aliases = Map.copyOf(aliases);
  }
}
