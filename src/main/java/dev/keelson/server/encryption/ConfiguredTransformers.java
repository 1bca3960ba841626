package dev.keelson.server.encryption;

import dev.keelson.api.GroupResource;
import dev.keelson.server.encryption.EncryptionConfiguration.Key;
import dev.keelson.server.encryption.EncryptionConfiguration.Keys;
import dev.keelson.server.encryption.EncryptionConfiguration.KmsConfiguration;
import dev.keelson.server.encryption.EncryptionConfiguration.ProviderConfiguration;
import dev.keelson.server.encryption.EncryptionConfiguration.ResourceConfiguration;
import dev.keelson.storage.encryption.AesCbc;
import dev.keelson.storage.encryption.AesGcm;
import dev.keelson.storage.encryption.IdentityTransformer;
import dev.keelson.storage.encryption.PrefixTransformers;
import dev.keelson.storage.encryption.PrefixedTransformer;
import dev.keelson.storage.encryption.ResourceTransformers;
import dev.keelson.storage.encryption.Secretbox;
import dev.keelson.storage.encryption.Transformer;
import dev.keelson.storage.encryption.kms.GrpcKeyService;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * Builds transformers from a valid configuration (apiserver pkg/server/options/encryptionconfig).
 */
final class ConfiguredTransformers {

  /** What precedes the name of a key management service in the prefix of its values. */
  static final String KMS = "k8s:enc:kms:v2:";

  private static final String AES_UNMATCHED =
      "no matching key was found for the provided AES transformer";

  private final InstantSource clock;
  private final EncryptionListener listener;
  private final List<KmsProvider> providers = new ArrayList<>();
  private Duration grace = Duration.ZERO;

  private ConfiguredTransformers(InstantSource clock, EncryptionListener listener) {
    this.clock = clock;
    this.listener = listener;
  }

  /**
   * The transformers of a configuration. Its key management services are not asked yet.
   *
   * @throws IllegalArgumentException if an earlier rule includes a resource of a later one, or a
   *     service cannot be used
   */
  static Configured of(
      EncryptionConfiguration configuration, InstantSource clock, EncryptionListener listener) {
    ConfiguredTransformers builder = new ConfiguredTransformers(clock, listener);
    try {
      ResourceTransformers transformers = builder.build(configuration);
      return new Configured(transformers, new KmsProviders(builder.providers), builder.grace);
    } catch (IllegalArgumentException e) {
      builder.providers.forEach(KmsProvider::close);
      throw e;
    }
  }

  private ResourceTransformers build(EncryptionConfiguration configuration) {
    Map<GroupResource, List<PrefixedTransformer>> lists = new LinkedHashMap<>();
    for (ResourceConfiguration rule : configuration.resources()) {
      List<PrefixedTransformer> providers = rule.providers().stream().map(this::provider).toList();
      for (String name : rule.resources()) {
        GroupResource resource = ResourceNames.parse(name);
        rejectMasked(resource, new GroupResource(resource.group(), "*"), lists);
        rejectMasked(resource, new GroupResource("*", "*"), lists);
        lists.computeIfAbsent(resource, one -> new ArrayList<>()).addAll(providers);
      }
    }
    Map<GroupResource, Transformer> transformers = new LinkedHashMap<>();
    lists.forEach(
        (resource, list) ->
            transformers.put(
                resource, new PrefixTransformers(list, "no matching prefix found", listener)));
    return new ResourceTransformers(transformers);
  }

  private static void rejectMasked(
      GroupResource resource,
      GroupResource wildcard,
      Map<GroupResource, List<PrefixedTransformer>> earlier) {
    if (earlier.containsKey(wildcard)) {
      throw new IllegalArgumentException(
          "error while building transformers: resource \"%s\" is masked by earlier rule \"%s\""
              .formatted(ResourceNames.name(resource), ResourceNames.name(wildcard)));
    }
  }

  private PrefixedTransformer provider(ProviderConfiguration provider) {
    if (provider.aesgcm() != null) {
      return keyed("k8s:enc:aesgcm:v1:", provider.aesgcm(), AesGcm::new, AES_UNMATCHED);
    }
    if (provider.aescbc() != null) {
      return keyed("k8s:enc:aescbc:v1:", provider.aescbc(), AesCbc::new, AES_UNMATCHED);
    }
    if (provider.secretbox() != null) {
      return keyed(
          "k8s:enc:secretbox:v1:",
          provider.secretbox(),
          Secretbox::new,
          "no matching key was found for the provided Secretbox transformer");
    }
    if (provider.identity()) {
      return PrefixedTransformer.of("", IdentityTransformer.INSTANCE);
    }
    return kms(Objects.requireNonNull(provider.kms(), "a valid provider has one component"));
  }

  private PrefixedTransformer kms(KmsConfiguration kms) {
    if (kms.apiVersion().equals("v1")) {
      throw new IllegalArgumentException(
          "error while building transformers: KMSv1 is deprecated and will only receive security"
              + " updates going forward. Use KMSv2 instead.  Set --feature-gates=KMSv1=true to use"
              + " the deprecated KMSv1 feature.");
    }
    KmsProvider provider =
        new KmsProvider(
            kms.name(),
            new GrpcKeyService(kms.name(), socket(kms.endpoint()), kms.timeout(), listener),
            clock,
            listener);
    providers.add(provider);
    grace = grace.plus(kms.timeout().multipliedBy(2));
    return PrefixedTransformer.of(KMS + kms.name() + ":", provider.transformer());
  }

  private static Path socket(String endpoint) {
    String path = Objects.requireNonNullElse(URI.create(endpoint).getPath(), "");
    if (path.isEmpty() || path.startsWith("/@")) {
      // the JDK has no sockets in Linux's abstract name space
      throw new IllegalArgumentException(
          "error while building transformers: endpoint \"%s\": the path of a socket in the file"
                  .formatted(endpoint)
              + " system is expected, such as unix:///run/kms.sock");
    }
    return Path.of(path);
  }

  private PrefixedTransformer keyed(
      String prefix, Keys keys, Function<byte[], Transformer> cipher, String unmatched) {
    List<PrefixedTransformer> transformers = new ArrayList<>();
    for (Key key : keys.keys()) {
      transformers.add(
          PrefixedTransformer.of(
              key.name() + ":", cipher.apply(ConfigurationValidation.secret(key))));
    }
    return PrefixedTransformer.of(
        prefix, new PrefixTransformers(transformers, unmatched, listener));
  }
}
