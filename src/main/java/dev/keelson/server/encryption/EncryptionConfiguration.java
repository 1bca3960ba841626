package dev.keelson.server.encryption;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An EncryptionConfiguration (apiserver.config.k8s.io/v1) with its defaults.
 *
 * @param resources in the order of the file
 */
record EncryptionConfiguration(List<ResourceConfiguration> resources) {
  EncryptionConfiguration {
    resources = List.copyOf(resources);
  }

  /**
   * Resources and their providers.
   *
   * @param resources names such as {@code secrets}, {@code deployments.apps}, {@code *.apps}
   * @param providers the first one writes, all of them read
   */
  record ResourceConfiguration(List<String> resources, List<ProviderConfiguration> providers) {
    ResourceConfiguration {
      resources = List.copyOf(resources);
      providers = List.copyOf(providers);
    }
  }

  /** One provider: a valid one has exactly one of the components. */
  record ProviderConfiguration(
      @Nullable Keys aesgcm,
      @Nullable Keys aescbc,
      @Nullable Keys secretbox,
      boolean identity,
      @Nullable KmsConfiguration kms) {

    /** The number of components that are set. */
    int size() {
      return (aesgcm == null ? 0 : 1)
          + (aescbc == null ? 0 : 1)
          + (secretbox == null ? 0 : 1)
          + (identity ? 1 : 0)
          + (kms == null ? 0 : 1);
    }
  }

  /** The keys of a provider; the first one writes. */
  record Keys(List<Key> keys) {
    Keys {
      keys = List.copyOf(keys);
    }
  }

  /**
   * A named key.
   *
   * @param secret the key in base64
   */
  record Key(String name, String secret) {
    @Override
    public String toString() {
      return "Key[name=" + name + "]";
    }
  }

  /**
   * A key management service.
   *
   * @param apiVersion v1 or v2
   * @param cacheSize the size of the cache of v1; null if the file does not set it
   * @param endpoint a {@code unix:} URL
   * @param timeout the limit of each call
   */
  record KmsConfiguration(
      String apiVersion,
      String name,
      @Nullable Integer cacheSize,
      String endpoint,
      Duration timeout) {}
}
