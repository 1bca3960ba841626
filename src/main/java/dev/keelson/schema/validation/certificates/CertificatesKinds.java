package dev.keelson.schema.validation.certificates;

import dev.keelson.api.GroupKind;
import dev.keelson.schema.validation.KindRules;
import java.util.Map;

/** The kinds of certificates.k8s.io. */
public final class CertificatesKinds {
  private CertificatesKinds() {}

  /** The rules by stored kind; immutable. */
  public static Map<GroupKind, KindRules> rules() {
    return Map.ofEntries(
        Map.entry(
            new GroupKind("certificates.k8s.io", "CertificateSigningRequest"),
            new CertificateSigningRequestRules()));
  }
}
