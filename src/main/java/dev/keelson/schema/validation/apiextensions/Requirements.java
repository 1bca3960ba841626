package dev.keelson.schema.validation.apiextensions;

import dev.keelson.object.Node.MapNode;
import java.util.Set;

/**
 * What a definition must meet. Rules that came later than others do not apply to an update of a
 * definition that breaks them already.
 *
 * @param recognizedReviewVersion conversionReviewVersions has a version that the server knows
 * @param immutableNames scope and kind do not change
 * @param schemas every version has a schema
 * @param knownTypes types are those of OpenAPI
 * @param structural schemas are structural
 * @param prunedDefaults defaults have no unknown fields
 * @param atomicSetItems the elements of a set are owned as a whole
 * @param definiteListKeys keys of lists are required or have a default, and are not null
 * @param readableCaBundle the CA bundle is in PEM
 * @param unchangedVersions the names of the versions whose schema is as in the stored definition
 */
record Requirements(
    boolean recognizedReviewVersion,
    boolean immutableNames,
    boolean schemas,
    boolean knownTypes,
    boolean structural,
    boolean prunedDefaults,
    boolean atomicSetItems,
    boolean definiteListKeys,
    boolean readableCaBundle,
    Set<String> unchangedVersions) {

  private static final Set<String> TYPES =
      Set.of("string", "number", "integer", "boolean", "array", "object");

  /** What a new definition must meet. */
  static Requirements ofNew() {
    return new Requirements(true, false, true, true, true, true, true, true, false, Set.of());
  }

  /** The same for schemas that must be structural whatever the stored definition has. */
  Requirements requiringStructure() {
    return new Requirements(
        recognizedReviewVersion,
        immutableNames,
        schemas,
        knownTypes,
        true,
        prunedDefaults,
        atomicSetItems,
        definiteListKeys,
        readableCaBundle,
        unchangedVersions);
  }

  static boolean hasUnknownType(MapNode schema) {
    String type = schema.text("type");
    return !type.isEmpty() && !TYPES.contains(type);
  }
}
