package dev.keelson.controller.customresource;

import dev.keelson.object.ApiObject;
import dev.keelson.object.Node.MapNode;
import dev.keelson.pem.PemBlock;
import dev.keelson.pem.PemBlocks;
import dev.keelson.pem.PemCertificates;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Computes the status of a definition: accepted names and conditions, all in one write (source:
 * Kubernetes' naming, establishing, apiapproval and nonstructuralschema controllers).
 */
final class DefinitionStatus {

  private static final String ACCEPTED = "the initial names have been accepted";

  private final StructuralCheck structure;

  DefinitionStatus(StructuralCheck structure) {
    this.structure = structure;
  }

  /** Whether a definition needs nothing; decided without reading the definition. */
  static boolean isSettled(Definition definition) {
    return !definition.pending()
        && definition.isTrue(DefinitionCondition.NAMES_ACCEPTED)
        && definition.isTrue(DefinitionCondition.ESTABLISHED)
        && definition.approval().equals(definition.condition(DefinitionCondition.APPROVED))
        && !definition.legacy()
        && definition.condition(DefinitionCondition.NON_STRUCTURAL).isEmpty();
  }

  /**
   * Whether {@link #next} would change nothing; decided without reading the definition, so that a
   * definition with a conflict costs no read for each change in its group.
   */
  static boolean isCurrent(Definition definition, NameRules.Decision names) {
    DefinitionCondition known =
        definition.condition(DefinitionCondition.NAMES_ACCEPTED).orElse(null);
    return !names.condition().isTrue()
        && names.condition().equals(known)
        && names.accepted().equals(definition.accepted())
        && definition.condition(DefinitionCondition.ESTABLISHED).isPresent()
        && definition.approval().equals(definition.condition(DefinitionCondition.APPROVED))
        && !definition.legacy()
        && definition.condition(DefinitionCondition.NON_STRUCTURAL).isEmpty();
  }

  /** The definition with its next status; unchanged if that is the current one. */
  ApiObject next(ApiObject object, NameRules.Decision names, String now) {
    Definition definition = Definition.of(object);
    MapNode spec = object.root().map("spec");
    MapNode status = object.root().map("status");
    status = nonStructural(definition, object.root(), status, now);
    if (definition.approval().isPresent()) {
      status = definition.approval().get().set(status, now);
    }
    if (!names.accepted().equals(definition.accepted())) {
      status = status.with("acceptedNames", names.accepted().node());
    }
    status = names.condition().set(status, now);
    status = established(definition, names, spec).set(status, now);
    return status.equals(object.root().map("status")) ? object : object.with("status", status);
  }

  private static DefinitionCondition established(
      Definition definition, NameRules.Decision names, MapNode spec) {
    @Nullable DefinitionCondition known =
        definition.condition(DefinitionCondition.ESTABLISHED).orElse(null);
    if (known != null && known.isTrue()) {
      return known;
    }
    if (names.condition().isTrue()) {
      return hasValidCaBundle(spec)
          ? condition(DefinitionCondition.TRUE, "InitialNamesAccepted", ACCEPTED)
          : condition(
              DefinitionCondition.FALSE,
              "InvalidCABundle",
              "The conversion webhook CABundle is invalid");
    }
    return known == null
        ? condition(DefinitionCondition.FALSE, "NotAccepted", "not all names are accepted")
        : known;
  }

  private static DefinitionCondition condition(String status, String reason, String message) {
    return new DefinitionCondition(DefinitionCondition.ESTABLISHED, status, reason, message);
  }

  private MapNode nonStructural(Definition definition, MapNode root, MapNode status, String now) {
    boolean told = definition.condition(DefinitionCondition.NON_STRUCTURAL).isPresent();
    if (!definition.legacy() && !told) {
      return status;
    }
    return structure
        .violation(root)
        .map(violation -> nonStructural(violation).set(status, now))
        .orElseGet(
            () ->
                told
                    ? DefinitionCondition.remove(status, DefinitionCondition.NON_STRUCTURAL)
                    : status);
  }

  private static DefinitionCondition nonStructural(StructuralCheck.Violation violation) {
    return violation.certain()
        ? new DefinitionCondition(
            DefinitionCondition.NON_STRUCTURAL,
            DefinitionCondition.TRUE,
            "Violations",
            violation.message())
        : new DefinitionCondition(
            DefinitionCondition.NON_STRUCTURAL,
            DefinitionCondition.UNKNOWN,
            "StructuralError",
            violation.message());
  }

  /** Whether the CA bundle of a conversion webhook is absent or has at least one certificate. */
  private static boolean hasValidCaBundle(MapNode spec) {
    String bundle = spec.map("conversion").map("webhook").map("clientConfig").text("caBundle");
    if (bundle.isEmpty()) {
      return true;
    }
    try {
      String text = new String(Base64.getDecoder().decode(bundle), StandardCharsets.ISO_8859_1);
      return PemBlocks.in(text).stream()
          .filter(block -> block.type().equals(PemCertificates.TYPE) && block.headers().isEmpty())
          .anyMatch(DefinitionStatus::isCertificate);
    } catch (IllegalArgumentException e) {
      // not base64: no certificate can be read from it
      return false;
    }
  }

  private static boolean isCertificate(PemBlock block) {
    try {
      return PemCertificates.decode(block.der()).getVersion() > 0;
    } catch (CertificateException e) {
      // the next block may hold one
      return false;
    }
  }
}
