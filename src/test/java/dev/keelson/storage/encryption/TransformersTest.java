package dev.keelson.storage.encryption;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.storage.Bytes;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The formats at rest. The values of AES-GCM, AES-CBC and derived keys were made with Python's
 * cryptography package; those of secretbox and one of AES-GCM are published test vectors.
 */
class TransformersTest {

  private static final HexFormat HEX = HexFormat.of();
  private static final Bytes PATH = Bytes.utf8("/registry/secrets/default/demo");
  private static final String TEXT = "{\"apiVersion\":\"v1\",\"kind\":\"Secret\"}";
  private static final byte[] KEY = counted(0, 32);

  private static final Map<String, Transformer> ALL =
      Map.of(
          "aesgcm", new AesGcm(KEY),
          "aescbc", new AesCbc(KEY),
          "secretbox", new Secretbox(KEY),
          "derived", new DerivedKeys(KEY),
          "identity", IdentityTransformer.INSTANCE);

  private static Transformer transformer(String name) {
    return Objects.requireNonNull(ALL.get(name), name);
  }

  private static byte[] counted(int from, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (from + i);
    }
    return bytes;
  }

  private static Bytes hex(String text) {
    return Bytes.wrap(HEX.parseHex(text));
  }

  private static String read(Transformer transformer, Bytes stored) {
    return transformer.fromStorage(stored, PATH).value().utf8();
  }

  @Test
  void aesGcm_readsWhatAnotherImplementationWrote() {
    String stored =
        "000102030405060708090a0b3c20b76bacb3a769fe28f8e593d35a1bb2f4ab169b1231181a5dc7d6780a72d77"
            + "532d36dccb704dc300a759e82bca1d16b0f49";

    assertThat(read(new AesGcm(KEY), hex(stored))).isEqualTo(TEXT);
  }

  @Test
  void aesGcm_readsTheVectorOfItsSpecification() {
    byte[] key = HEX.parseHex("feffe9928665731c6d6a8f9467308308".repeat(2));
    Bytes stored =
        hex(
            "cafebabefacedbaddecaf888522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1"
                + "aa8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853"
                + "bb2d551b");

    Bytes plain =
        new AesGcm(key)
            .fromStorage(stored, hex("feedfacedeadbeeffeedfacedeadbeefabaddad2"))
            .value();

    assertThat(HEX.formatHex(plain.array()))
        .isEqualTo(
            "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e24"
                + "49a6b525b16aedf5aa0de657ba637b39");
  }

  @Test
  void aesCbc_readsWhatAnotherImplementationWrote() {
    String stored =
        "000102030405060708090a0b0c0d0e0fb3a620c1f7e7718d3045e152ea53bf635d6bf57307367a8ec9bd66ecd"
            + "63633b7728c91a179e7746ac580abe7b8bffaed";

    assertThat(read(new AesCbc(KEY), hex(stored))).isEqualTo(TEXT);
  }

  @Test
  void derivedKeys_readWhatAnotherImplementationWrote() {
    String stored =
        "6465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f80818283000102030405060708090a0bd"
            + "751b4aaca4fa80275f37c4b6430fc90cbb213a99f0811a8441e0da0e5d95e3f4a875bcd5c4c6ef20a989f"
            + "d1caff7add17a41e";

    assertThat(read(new DerivedKeys(KEY), hex(stored))).isEqualTo(TEXT);
  }

  @Test
  void secretbox_readsTheVectorOfNaCl() {
    byte[] key = HEX.parseHex("1b27556473e985d462cd51197a9a46c76009549eac6474f206c4ee0844f68389");
    String nonce = "69696ee955b62b73cd62bda875fc73d68219e0036b7a0b37";
    String boxed =
        "f3ffc7703f9400e52a7dfb4b3d3305d98e993b9f48681273c29650ba32fc76ce48332ea7164d96a4476fb8c53"
            + "1a1186ac0dfc17c98dce87b4da7f011ec48c97271d2c20f9b928fe2270d6fb863d51738b48eeee314a7cc"
            + "8ab932164548e526ae90224368517acfeabd6bb3732bc0e9da99832b61ca01b6de56244a9e88d5f9b3797"
            + "3f622a43d14a6599b1f654cb45a74e355a5";

    Bytes plain = new Secretbox(key).fromStorage(hex(nonce + boxed), PATH).value();

    assertThat(HEX.formatHex(plain.array()))
        .isEqualTo(
            "be075fc53c81f2d5cf141316ebeb0c7b5228c52a4c62cbd44b66849b64244ffce5ecbaaf33bd751a1ac728d4"
                + "5e6c61296cdc3c01233561f41db66cce314adb310e3be8250c46f06dceea3a7fa1348057e2f6556ad6"
                + "b1318a024a838f21af1fde048977eb48f59ffd4924ca1c60902e52f0a089bc76897040e082f9377638"
                + "48645e0705");
  }

  @Test
  void everyLength_comesBack() {
    Random random = new Random(7);
    for (int length : new int[] {0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, 4095, 100_000}) {
      byte[] plain = new byte[length];
      random.nextBytes(plain);
      ALL.forEach(
          (name, transformer) -> {
            Bytes stored = transformer.toStorage(Bytes.wrap(plain), PATH);
            Transformer.Plain back = transformer.fromStorage(stored, PATH);
            assertThat(back.value().array()).as(name + " " + length).isEqualTo(plain);
            assertThat(back.stale()).isFalse();
          });
    }
  }

  @Test
  void twoWritesOfOneValue_differ() {
    ALL.forEach(
        (name, transformer) -> {
          if (transformer != IdentityTransformer.INSTANCE) {
            Bytes first = transformer.toStorage(Bytes.utf8(TEXT), PATH);
            assertThat(transformer.toStorage(Bytes.utf8(TEXT), PATH)).as(name).isNotEqualTo(first);
          }
        });
  }

  @Test
  void aPartOfAnArray_isReadAsAWholeOne() {
    ALL.forEach(
        (name, transformer) -> {
          byte[] stored = transformer.toStorage(Bytes.utf8(TEXT), PATH).array();
          byte[] around = new byte[stored.length + 9];
          System.arraycopy(stored, 0, around, 4, stored.length);
          Bytes part = Bytes.wrap(around, 4, stored.length);
          assertThat(read(transformer, part)).as(name).isEqualTo(TEXT);
        });
  }

  @Test
  void truncatedAndAlteredValues_areRejected() {
    for (String name : List.of("aesgcm", "secretbox", "derived")) {
      Transformer transformer = transformer(name);
      byte[] stored = transformer.toStorage(Bytes.utf8(TEXT), PATH).array();
      for (int length = 0; length < stored.length; length++) {
        Bytes cut = Bytes.wrap(Arrays.copyOf(stored, length));
        assertThatThrownBy(() -> transformer.fromStorage(cut, PATH))
            .as(name + " cut to " + length)
            .isInstanceOf(TransformationException.class);
        byte[] altered = stored.clone();
        altered[length] ^= 1;
        assertThatThrownBy(() -> transformer.fromStorage(Bytes.wrap(altered), PATH))
            .as(name + " altered at " + length)
            .isInstanceOf(TransformationException.class);
      }
    }
  }

  @Test
  void anotherKeyInTheStore_isRejectedWhereItIsAuthenticated() {
    Bytes elsewhere = Bytes.utf8("/registry/secrets/default/other");
    for (String name : List.of("aesgcm", "derived")) {
      Transformer transformer = transformer(name);
      Bytes stored = transformer.toStorage(Bytes.utf8(TEXT), PATH);
      assertThatThrownBy(() -> transformer.fromStorage(stored, elsewhere))
          .hasMessage("cipher: message authentication failed");
    }
    for (String name : List.of("aescbc", "secretbox")) {
      Transformer transformer = transformer(name);
      Bytes stored = transformer.toStorage(Bytes.utf8(TEXT), PATH);
      assertThat(transformer.fromStorage(stored, elsewhere).value().utf8()).isEqualTo(TEXT);
    }
  }

  @Test
  void messages_areThoseOfKubernetes() {
    assertRejected("aesgcm", new byte[11], "the stored data was shorter than the required size");
    assertRejected("aesgcm", new byte[40], "cipher: message authentication failed");
    assertRejected("secretbox", new byte[39], "the stored data was shorter than the required size");
    assertRejected("secretbox", new byte[40], "output array was not large enough for encryption");
    assertRejected("aescbc", new byte[15], "the stored data was shorter than the required size");
    assertRejected("aescbc", new byte[16], "invalid PKCS7 data (empty or not padded)");
    assertRejected("aescbc", new byte[33], "the stored data is not a multiple of the block size");
    assertRejected("derived", new byte[31], "the stored data was shorter than the required size");
    assertRejected(
        "identity",
        "k8s:enc:aescbc:v1:a:".getBytes(StandardCharsets.UTF_8),
        "identity transformer tried to read encrypted data");
  }

  private static void assertRejected(String name, byte[] stored, String message) {
    assertThatThrownBy(() -> transformer(name).fromStorage(Bytes.wrap(stored), PATH))
        .as(name)
        .isInstanceOf(TransformationException.class)
        .hasMessage(message);
  }

  @Test
  void aesCbc_rejectsWrongPadding() {
    // the last block decrypts to other padding when the block before it is altered
    byte[] stored = new AesCbc(KEY).toStorage(Bytes.utf8("0123456789"), PATH).array();
    byte[] altered = stored.clone();
    altered[14] ^= 1;

    assertThatThrownBy(() -> new AesCbc(KEY).fromStorage(Bytes.wrap(altered), PATH))
        .hasMessage("invalid padding on input");
  }
}
