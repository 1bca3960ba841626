package dev.keelson.storage.encryption;

import dev.keelson.storage.Bytes;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * AES-GCM with random nonces of 12 bytes: a nonce, the ciphertext, a tag of 16 bytes. The key of
 * the value in the store is authenticated, so that a value that was copied to another key is
 * rejected (apiserver pkg/storage/value/encrypt/aes).
 *
 * <p>NIST SP 800-38D allows 2^32 values with one key; the operator must change keys before.
 */
public final class AesGcm implements Transformer {

  private static final int NONCE = 12;
  private static final int TAG = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final SecretKeySpec key;

  /**
   * A transformer with one key.
   *
   * @param key 16, 24 or 32 bytes
   */
  public AesGcm(byte[] key) {
    this.key = new SecretKeySpec(key, "AES");
  }

  @Override
  public Plain fromStorage(Bytes stored, Bytes authenticated) {
    if (stored.length() < NONCE) {
      throw new TransformationException("the stored data was shorter than the required size");
    }
    if (stored.length() < NONCE + TAG) {
      throw forged();
    }
    try {
      Cipher cipher = cipher(Cipher.DECRYPT_MODE, stored, authenticated);
      int from = stored.offset() + NONCE;
      byte[] plain = cipher.doFinal(stored.backing(), from, stored.length() - NONCE);
      return new Plain(Bytes.wrap(plain), false);
    } catch (AEADBadTagException _) {
      throw forged();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM is not available", e);
    }
  }

  private static TransformationException forged() {
    return new TransformationException("cipher: message authentication failed");
  }

  @Override
  public Bytes toStorage(Bytes plain, Bytes authenticated) {
    byte[] nonce = new byte[NONCE];
    RANDOM.nextBytes(nonce);
    byte[] sealed = new byte[NONCE + plain.length() + TAG];
    System.arraycopy(nonce, 0, sealed, 0, NONCE);
    try {
      Cipher cipher = cipher(Cipher.ENCRYPT_MODE, Bytes.wrap(nonce), authenticated);
      int unused = cipher.doFinal(plain.backing(), plain.offset(), plain.length(), sealed, NONCE);
      return Bytes.wrap(sealed);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM is not available", e);
    }
  }

  private Cipher cipher(int mode, Bytes nonceFirst, Bytes authenticated)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
    cipher.init(
        mode, key, new GCMParameterSpec(TAG * 8, nonceFirst.backing(), nonceFirst.offset(), NONCE));
    cipher.updateAAD(authenticated.backing(), authenticated.offset(), authenticated.length());
    return cipher;
  }
}
