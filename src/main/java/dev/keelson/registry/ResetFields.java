package dev.keelson.registry;

import dev.keelson.object.MapNode;
import dev.keelson.schema.ResourceDefinition;
import dev.keelson.schema.apply.FieldSet;

/**
 * What a write leaves as it is whatever is sent, so that nobody comes to own it that way (source:
 * {@code GetResetFields} of kube-apiserver's strategies). {@link PartEdits} does the leaving.
 */
final class ResetFields {

  private static final String METADATA = "f:metadata";
  private static final String SPEC = "f:spec";
  private static final String STATUS = "f:status";
  private static final MapNode WHOLE = MapNode.EMPTY;

  private static final FieldSet MAIN = set(MapNode.of(STATUS, WHOLE));
  private static final FieldSet MAIN_OF_REQUEST = set(MapNode.of(SPEC, WHOLE).with(STATUS, WHOLE));
  private static final FieldSet STATUS_ALONE = set(MapNode.of(SPEC, WHOLE));
  private static final FieldSet STATUS_WITHOUT_METADATA =
      set(MapNode.of(METADATA, WHOLE).with(SPEC, WHOLE));
  private static final FieldSet STATUS_OF_DEPLOYMENT =
      set(MapNode.of(METADATA, MapNode.of("f:labels", WHOLE)).with(SPEC, WHOLE));
  private static final FieldSet STATUS_OF_POD =
      set(
          MapNode.of(
                  METADATA,
                  MapNode.of("f:deletionTimestamp", WHOLE).with("f:ownerReferences", WHOLE))
              .with(SPEC, WHOLE));

  private ResetFields() {}

  /** The fields that a write through a resource, or a subresource of it, cannot change. */
  static FieldSet of(ResourceDefinition definition, String subresource) {
    return switch (subresource) {
      case "" -> main(definition);
      case "status" -> status(definition.kind());
      default -> FieldSet.EMPTY;
    };
  }

  private static FieldSet main(ResourceDefinition definition) {
    if (definition.kind().equals("CertificateSigningRequest")) {
      return MAIN_OF_REQUEST;
    }
    return definition.subresources().containsKey("status") ? MAIN : FieldSet.EMPTY;
  }

  private static FieldSet status(String kind) {
    return switch (kind) {
      case "Deployment" -> STATUS_OF_DEPLOYMENT;
      case "Pod" -> STATUS_OF_POD;
      case "FlowSchema",
          "PriorityLevelConfiguration",
          "ValidatingAdmissionPolicy",
          "VolumeAttachment",
          "ResourceClaim",
          "StorageVersion" ->
          STATUS_WITHOUT_METADATA;
      default -> STATUS_ALONE;
    };
  }

  private static FieldSet set(MapNode tree) {
    return new FieldSet(tree);
  }
}
