package dev.keelson.server.encryption;

import dev.keelson.server.encryption.EncryptionConfiguration.Key;
import dev.keelson.server.encryption.EncryptionConfiguration.Keys;
import dev.keelson.server.encryption.EncryptionConfiguration.ProviderConfiguration;
import dev.keelson.server.encryption.EncryptionConfiguration.ResourceConfiguration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Validates an EncryptionConfiguration with the causes of kube-apiserver (apiserver
 * pkg/apis/apiserver/validation/validation_encryption.go). Keys are never part of a message.
 */
final class ConfigurationValidation {

  private static final List<Integer> AES_KEYS = List.of(16, 24, 32);
  private static final List<Integer> SECRETBOX_KEYS = List.of(32);

  private final boolean reload;
  private final Set<String> kmsNames = new HashSet<>();
  private final List<String> errors = new ArrayList<>();

  private ConfigurationValidation(boolean reload) {
    this.reload = reload;
  }

  /**
   * Validates a configuration.
   *
   * @param reload whether the file is reloaded, which forbids more
   * @throws IllegalArgumentException with all causes
   */
  static void check(EncryptionConfiguration configuration, boolean reload) {
    ConfigurationValidation validation = new ConfigurationValidation(reload);
    validation.configuration(configuration);
    Set<String> causes = new LinkedHashSet<>(validation.errors);
    if (!causes.isEmpty()) {
      String text = String.join(", ", causes);
      throw new IllegalArgumentException(causes.size() == 1 ? text : "[" + text + "]");
    }
  }

  private void configuration(EncryptionConfiguration configuration) {
    if (configuration.resources().isEmpty()) {
      required("resources", "at least one resources is required");
      return;
    }
    for (int i = 0; i < configuration.resources().size(); i++) {
      resource("resources[" + i + "]", configuration.resources().get(i));
    }
  }

  private void resource(String at, ResourceConfiguration resource) {
    String names = at + ".resources";
    String providers = at + ".providers";
    if (resource.resources().isEmpty()) {
      required(names, "at least one " + names + " is required");
    }
    errors.addAll(ResourceNames.overlaps(resource.resources(), names));
    errors.addAll(ResourceNames.errors(resource.resources(), names));
    if (resource.providers().isEmpty()) {
      required(providers, "at least one " + providers + " is required");
    }
    for (int i = 0; i < resource.providers().size(); i++) {
      provider(providers + "[" + i + "]", resource.providers().get(i));
    }
  }

  private void provider(String at, ProviderConfiguration provider) {
    if (provider.size() == 0) {
      invalid(
          at,
          "{}",
          "provider does not contain any of the expected providers: KMS, AESGCM, AESCBC,"
              + " Secretbox, Identity");
    } else if (provider.size() > 1) {
      // kube-apiserver prints the provider here, keys included
      invalid(
          at,
          "{...}",
          "more than one provider specified in a single element, should split into different list"
              + " elements");
    }
    if (provider.kms() != null) {
      new KmsValidation(at + ".kms", provider.kms(), errors).check(reload, kmsNames);
      kmsNames.add(provider.kms().name());
    } else if (provider.aesgcm() != null) {
      keys(at + ".aesgcm.keys", provider.aesgcm(), AES_KEYS);
    } else if (provider.aescbc() != null) {
      keys(at + ".aescbc.keys", provider.aescbc(), AES_KEYS);
    } else if (provider.secretbox() != null) {
      keys(at + ".secretbox.keys", provider.secretbox(), SECRETBOX_KEYS);
    }
  }

  private void keys(String at, Keys keys, List<Integer> lengths) {
    if (keys.keys().isEmpty()) {
      required(at, "at least one keys is required");
    }
    for (int i = 0; i < keys.keys().size(); i++) {
      key(at + "[" + i + "]", keys.keys().get(i), lengths);
    }
  }

  private void key(String at, Key key, List<Integer> lengths) {
    if (key.name().isEmpty()) {
      required(at + ".name", "name is a mandatory field for a key");
    }
    if (key.secret().isEmpty()) {
      required(at + ".secret", "secret is a mandatory field for a key");
      return;
    }
    int length;
    try {
      length = secret(key).length;
    } catch (IllegalArgumentException _) {
      invalid(at + ".secret", "\"REDACTED\"", "secrets must be base64 encoded");
      return;
    }
    if (!lengths.contains(length)) {
      String expected = lengths.toString().replace(",", "");
      invalid(
          at + ".secret",
          "\"REDACTED\"",
          "secret is not of the expected length, got " + length + ", expected one of " + expected);
    }
  }

  /**
   * The bytes of a key. As in Go, line breaks in the base64 are ignored and padding is required.
   *
   * @throws IllegalArgumentException if it is no base64
   */
  static byte[] secret(Key key) {
    String text = key.secret().replace("\r", "").replace("\n", "");
    if (text.length() % 4 != 0) {
      throw new IllegalArgumentException("base64 without its padding");
    }
    return Base64.getDecoder().decode(text);
  }

  private void required(String at, String detail) {
    errors.add(at + ": Required value: " + detail);
  }

  private void invalid(String at, String shown, String detail) {
    errors.add(Causes.invalidValue(at, shown, detail));
  }
}
