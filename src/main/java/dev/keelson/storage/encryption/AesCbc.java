package dev.keelson.storage.encryption;

import dev.keelson.storage.Bytes;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-CBC with PKCS #7 padding: a random initial vector of 16 bytes and the ciphertext (apiserver
 * pkg/storage/value/encrypt/aes). Nothing is authenticated: a value that was altered may be read as
 * another one. Kubernetes keeps the provider for old data and does not recommend it.
 */
public final class AesCbc implements Transformer {

  private static final int BLOCK = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final SecretKeySpec key;

  /**
   * A transformer with one key.
   *
   * @param key 16, 24 or 32 bytes
   */
  public AesCbc(byte[] key) {
    this.key = new SecretKeySpec(key, "AES");
  }

  @Override
  public Plain fromStorage(Bytes stored, Bytes authenticated) {
    if (stored.length() < BLOCK) {
      throw new TransformationException("the stored data was shorter than the required size");
    }
    if (stored.length() % BLOCK != 0) {
      throw new TransformationException("the stored data is not a multiple of the block size");
    }
    byte[] padded =
        crypt(
            Cipher.DECRYPT_MODE,
            new IvParameterSpec(stored.backing(), stored.offset(), BLOCK),
            stored.backing(),
            stored.offset() + BLOCK,
            stored.length() - BLOCK);
    return new Plain(Bytes.wrap(padded, 0, unpaddedLength(padded)), false);
  }

  private static int unpaddedLength(byte[] padded) {
    int padding = padded.length == 0 ? 0 : padded[padded.length - 1] & 0xff;
    if (padding == 0 || padding > padded.length) {
      throw new TransformationException("invalid PKCS7 data (empty or not padded)");
    }
    int length = padded.length - padding;
    for (int i = length; i < padded.length; i++) {
      if (padded[i] != (byte) padding) {
        throw new TransformationException("invalid padding on input");
      }
    }
    return length;
  }

  @Override
  public Bytes toStorage(Bytes plain, Bytes authenticated) {
    int padding = BLOCK - plain.length() % BLOCK;
    byte[] padded = Arrays.copyOf(plain.array(), plain.length() + padding);
    Arrays.fill(padded, plain.length(), padded.length, (byte) padding);
    byte[] vector = new byte[BLOCK];
    RANDOM.nextBytes(vector);
    byte[] encrypted =
        crypt(Cipher.ENCRYPT_MODE, new IvParameterSpec(vector), padded, 0, padded.length);
    byte[] stored = Arrays.copyOf(vector, BLOCK + encrypted.length);
    System.arraycopy(encrypted, 0, stored, BLOCK, encrypted.length);
    return Bytes.wrap(stored);
  }

  private byte[] crypt(int mode, IvParameterSpec vector, byte[] data, int offset, int length) {
    try {
      Cipher cipher = Cipher.getInstance("AES/CBC/NoPadding");
      cipher.init(mode, key, vector);
      return cipher.doFinal(data, offset, length);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-CBC is not available", e);
    }
  }
}
