package dev.keelson.storage.encryption;

import dev.keelson.storage.Bytes;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-GCM with a key of its own for each value, derived from a seed and 32 random bytes with HKDF's
 * expansion (RFC 5869, SHA-256): the random bytes, then what {@link AesGcm} writes (apiserver
 * pkg/storage/value/encrypt/aes/aes_extended_nonce.go). A seed does not wear out.
 *
 * <p>kube-apiserver caches derived keys. One derivation is one HMAC of a microsecond, less than the
 * decryption itself, so nothing is cached here.
 */
public final class DerivedKeys implements Transformer {

  /** The length of the seed, of the random bytes and of derived keys. */
  public static final int LENGTH = 32;

  private static final SecureRandom RANDOM = new SecureRandom();

  private final SecretKeySpec seed;

  /**
   * Derives keys from {@code seed}.
   *
   * @throws TransformationException if it has less than 32 bytes
   */
  public DerivedKeys(byte[] seed) {
    if (seed.length < LENGTH) {
      throw new TransformationException(
          "invalid seed length " + seed.length + " used for key generation");
    }
    this.seed = new SecretKeySpec(seed, "HmacSHA256");
  }

  @Override
  public Plain fromStorage(Bytes stored, Bytes authenticated) {
    if (stored.length() < LENGTH) {
      throw new TransformationException("the stored data was shorter than the required size");
    }
    Bytes info = Bytes.wrap(stored.backing(), stored.offset(), LENGTH);
    Bytes sealed = Bytes.wrap(stored.backing(), stored.offset() + LENGTH, stored.length() - LENGTH);
    return cipher(info).fromStorage(sealed, authenticated);
  }

  @Override
  public Bytes toStorage(Bytes plain, Bytes authenticated) {
    byte[] info = new byte[LENGTH];
    RANDOM.nextBytes(info);
    Bytes sealed = cipher(Bytes.wrap(info)).toStorage(plain, authenticated);
    byte[] stored = new byte[LENGTH + sealed.length()];
    System.arraycopy(info, 0, stored, 0, LENGTH);
    System.arraycopy(sealed.backing(), sealed.offset(), stored, LENGTH, sealed.length());
    return Bytes.wrap(stored);
  }

  /** The first block of the expansion, which is as long as the key. */
  private AesGcm cipher(Bytes info) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(seed);
      mac.update(info.backing(), info.offset(), info.length());
      mac.update((byte) 1);
      return new AesGcm(mac.doFinal());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("HMAC-SHA-256 is not available", e);
    }
  }
}
