package dev.keelson.server.encryption;

import static dev.keelson.server.encryption.Causes.invalidText;
import static dev.keelson.server.encryption.Causes.invalidValue;

import dev.keelson.server.encryption.EncryptionConfiguration.KmsConfiguration;
import dev.keelson.value.GoDuration;
import dev.keelson.value.GoQuote;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Set;

/**
 * Validates a key management service.
 *
 * @param at its field path
 * @param errors takes the causes
 */
record KmsValidation(String at, KmsConfiguration kms, List<String> errors) {

  /**
   * Validates it.
   *
   * @param names the names of the services before it
   */
  void check(boolean reload, Set<String> names) {
    name(reload, names);
    if (kms.timeout().isZero() || kms.timeout().isNegative()) {
      String shown = GoQuote.quote(new GoDuration(kms.timeout().toNanos()).toString());
      errors.add(invalidValue(at + ".timeout", shown, "timeout should be a positive value"));
    }
    endpoint();
    cacheSize();
    if (!kms.apiVersion().equals("v1") && !kms.apiVersion().equals("v2")) {
      // kube-apiserver prints the name of the field where it means its value
      errors.add(
          invalidText(
              at + ".apiVersion",
              kms.apiVersion(),
              "unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported"));
    }
  }

  private void name(boolean reload, Set<String> names) {
    String field = at + ".name";
    boolean old = kms.apiVersion().equals("v1");
    if (kms.name().isEmpty()) {
      errors.add(field + ": Required value: name is a mandatory field for a provider");
    }
    if (!old && kms.name().contains(":")) {
      errors.add(
          invalidText(
              field,
              kms.name(),
              "invalid KMS provider name " + kms.name() + ", must not contain ':'"));
    }
    if ((reload || !old) && names.contains(kms.name())) {
      errors.add(
          invalidText(
              field,
              kms.name(),
              "duplicate KMS provider name " + kms.name() + ", names must be unique"));
    }
  }

  private void endpoint() {
    String field = at + ".endpoint";
    String endpoint = kms.endpoint();
    if (endpoint.isEmpty()) {
      errors.add(invalidText(field, "", "endpoint is a mandatory field for a kms"));
      return;
    }
    String scheme;
    try {
      scheme = new URI(endpoint).getScheme();
    } catch (URISyntaxException e) {
      errors.add(
          invalidText(
              field, endpoint, "invalid endpoint for kms provider, error: " + e.getMessage()));
      return;
    }
    if (!"unix".equals(scheme)) {
      errors.add(
          invalidText(
              field,
              endpoint,
              "unsupported scheme "
                  + GoQuote.quote(scheme == null ? "" : scheme)
                  + " for KMS provider, only unix is supported"));
    }
  }

  private void cacheSize() {
    Integer size = kms.cacheSize();
    if (size == null) {
      return;
    }
    String field = at + ".cachesize";
    if (!kms.apiVersion().equals("v1")) {
      errors.add(invalidValue(field, size.toString(), "cachesize is not supported in v2"));
    } else if (size == 0) {
      errors.add(
          invalidValue(field, "0", "cachesize should be a positive value, or negative to disable"));
    }
  }
}
