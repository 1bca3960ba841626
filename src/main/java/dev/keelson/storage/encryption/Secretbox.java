package dev.keelson.storage.encryption;

import dev.keelson.storage.Bytes;
import java.security.MessageDigest;
import java.security.SecureRandom;
import org.bouncycastle.crypto.engines.XSalsa20Engine;
import org.bouncycastle.crypto.macs.Poly1305;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithIV;

/**
 * NaCl's secretbox, XSalsa20 and Poly1305: a random nonce of 24 bytes, a tag of 16 bytes, the
 * ciphertext (apiserver pkg/storage/value/encrypt/secretbox). The key in the store is not
 * authenticated.
 *
 * <p>The JDK has ChaCha20 but not XSalsa20, so the two primitives are Bouncy Castle's, which is on
 * the class path for certificates; its lightweight classes use no provider and no reflection.
 */
public final class Secretbox implements Transformer {

  private static final int KEY = 32;
  private static final int NONCE = 24;
  private static final int TAG = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final byte[] key;

  /**
   * A transformer with one key.
   *
   * @param key 32 bytes
   */
  public Secretbox(byte[] key) {
    if (key.length != KEY) {
      throw new IllegalArgumentException("a key of " + key.length + " bytes");
    }
    this.key = key.clone();
  }

  @Override
  public Plain fromStorage(Bytes stored, Bytes authenticated) {
    if (stored.length() < NONCE + TAG) {
      throw new TransformationException("the stored data was shorter than the required size");
    }
    byte[] data = stored.array();
    XSalsa20Engine stream = stream(data);
    byte[] tag = tag(stream, data);
    if (!MessageDigest.isEqual(tag, Bytes.wrap(data, NONCE, TAG).array())) {
      // kube-apiserver says this of every value that fails the check
      throw new TransformationException("output array was not large enough for encryption");
    }
    byte[] plain = new byte[data.length - NONCE - TAG];
    int unused = stream.processBytes(data, NONCE + TAG, plain.length, plain, 0);
    return new Plain(Bytes.wrap(plain), false);
  }

  @Override
  public Bytes toStorage(Bytes plain, Bytes authenticated) {
    byte[] data = new byte[NONCE + TAG + plain.length()];
    byte[] nonce = new byte[NONCE];
    RANDOM.nextBytes(nonce);
    System.arraycopy(nonce, 0, data, 0, NONCE);
    XSalsa20Engine stream = stream(data);
    byte[] subkey = subkey(stream);
    int unused =
        stream.processBytes(plain.backing(), plain.offset(), plain.length(), data, NONCE + TAG);
    System.arraycopy(mac(subkey, data), 0, data, NONCE, TAG);
    return Bytes.wrap(data);
  }

  private XSalsa20Engine stream(byte[] nonceFirst) {
    XSalsa20Engine stream = new XSalsa20Engine();
    stream.init(true, new ParametersWithIV(new KeyParameter(key), nonceFirst, 0, NONCE));
    return stream;
  }

  /** The first 32 bytes of the stream are the key of the tag; the message continues after them. */
  private static byte[] subkey(XSalsa20Engine stream) {
    byte[] subkey = new byte[KEY];
    int unused = stream.processBytes(subkey, 0, KEY, subkey, 0);
    return subkey;
  }

  private static byte[] tag(XSalsa20Engine stream, byte[] data) {
    return mac(subkey(stream), data);
  }

  private static byte[] mac(byte[] subkey, byte[] data) {
    Poly1305 mac = new Poly1305();
    mac.init(new KeyParameter(subkey));
    mac.update(data, NONCE + TAG, data.length - NONCE - TAG);
    byte[] tag = new byte[TAG];
    int unused = mac.doFinal(tag, 0);
    return tag;
  }
}
