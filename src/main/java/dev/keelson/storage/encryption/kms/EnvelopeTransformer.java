package dev.keelson.storage.encryption.kms;

import dev.keelson.cache.ExpiringCache;
import dev.keelson.storage.Bytes;
import dev.keelson.storage.encryption.AesGcm;
import dev.keelson.storage.encryption.DerivedKeys;
import dev.keelson.storage.encryption.TransformationException;
import dev.keelson.storage.encryption.TransformationListener.Direction;
import dev.keelson.storage.encryption.Transformer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * Encrypts with keys derived from a seed that a key management service protects (apiserver
 * pkg/storage/value/encrypt/envelope/kmsv2). A write calls no service. A read does for the first
 * value of each seed, which is then kept in memory for a day, so that reads go on while the service
 * is away.
 */
public final class EnvelopeTransformer implements Transformer {

  /** A seed for each key of the service and each start of a server: few. */
  private static final int MOST_SEEDS = 10_000;

  private static final Duration KEPT = Duration.ofHours(24);

  private final KeyService service;
  private final String provider;
  private final Supplier<WriteKey> current;
  private final InstantSource clock;
  private final KmsListener listener;
  private final ExpiringCache<Source, Transformer> seeds;

  /** What identifies a seed or key. */
  private record Source(KeyService.Encrypted encrypted, int type) {}

  /**
   * A transformer.
   *
   * @param provider the name of the service
   * @param current the seed to write with; throws {@link TransformationException} before there is
   *     one
   */
  public EnvelopeTransformer(
      KeyService service,
      String provider,
      Supplier<WriteKey> current,
      InstantSource clock,
      KmsListener listener) {
    this.service = service;
    this.provider = provider;
    this.current = current;
    this.clock = clock;
    this.listener = listener;
    this.seeds = new ExpiringCache<>(MOST_SEEDS, clock);
  }

  @Override
  public Plain fromStorage(Bytes stored, Bytes authenticated) {
    EncryptedObject object = EncryptedObject.decode(stored);
    WriteKey writes = current.get();
    Source source = new Source(object.source(), object.sourceType());
    Transformer seed = seeds.get(source).orElse(null);
    if (seed == null) {
      seed = source.equals(own(writes)) ? writes.seed() : decrypt(source);
      keep(source, seed);
    }
    listener.keyUsed(Direction.FROM_STORAGE, provider, object.source().keyId());
    Plain plain = seed.fromStorage(object.data(), authenticated);
    boolean stale =
        object.sourceType() != EncryptedObject.SEED
            || !object.source().keyId().equals(writes.keyId());
    return new Plain(plain.value(), stale);
  }

  private void keep(Source source, Transformer seed) {
    seeds.put(source, seed, KEPT);
    listener.seedKept(provider, seeds.size());
  }

  private static Source own(WriteKey key) {
    return new Source(key.source(), EncryptedObject.SEED);
  }

  private Transformer decrypt(Source source) {
    listener.cacheMissed();
    Bytes key;
    try {
      key = service.decrypt(UUID.randomUUID().toString(), source.encrypted());
    } catch (TransformationException e) {
      throw new TransformationException("failed to decrypt DEK, error: " + e.text(), e.status(), e);
    }
    if (source.type() == EncryptedObject.SEED) {
      return new DerivedKeys(key.array());
    }
    int length = key.length();
    if (length != 16 && length != 24 && length != 32) {
      throw new TransformationException("crypto/aes: invalid key size " + length);
    }
    return new AesGcm(key.array());
  }

  @Override
  public Bytes toStorage(Bytes plain, Bytes authenticated) {
    WriteKey writes = current.get();
    writes.checkNotExpired(clock.instant());
    Optional<Transformer> known = seeds.get(own(writes));
    if (known.isEmpty()) {
      // what was written can be read after the seed is replaced, without a call
      keep(own(writes), writes.seed());
    }
    Bytes data = writes.seed().toStorage(plain, authenticated);
    listener.keyUsed(Direction.TO_STORAGE, provider, writes.keyId());
    return new EncryptedObject(data, writes.source(), EncryptedObject.SEED).encode();
  }
}
