package dev.keelson.server.pki;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.util.Base64;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PemTest {

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"EC", "RSA", "Ed25519"})
  void key_inPkcs8_isRead(String algorithm) throws Exception {
    PrivateKey key = KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPrivate();
    Path file = Files.writeString(directory.resolve("key.pem"), Pem.text(key));

    assertThat(Pem.key(file)).isEqualTo(key);
  }

  @Test
  void ecKey_asOpensslWritesIt_isRead() throws IOException {
    String text =
        """
        -----BEGIN EC PARAMETERS-----
        BggqhkjOPQMBBw==
        -----END EC PARAMETERS-----
        -----BEGIN EC PRIVATE KEY-----
        MHcCAQEEIAxIyuGWLfkT8TZRj26uE6hz0Tu1uESLGjUkzQ0tqGvwoAoGCCqGSM49
        AwEHoUQDQgAEJZUd8G+axuN0eQg377qsr8tceMl4YWtMdfMxq2zwFrQyAFa0XZz2
        uHj/mjQi2toS+KoDW+isvsDFek5miNTT0w==
        -----END EC PRIVATE KEY-----
        """;
    Path file = Files.writeString(directory.resolve("key.pem"), text);

    assertThat(Pem.key(file).getAlgorithm()).isEqualTo("EC");
    assertThat(Pem.key(file).getEncoded()).isNotEmpty();
  }

  @Test
  void rsaKey_inTheOlderForm_isRead() throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance("RSA").generateKeyPair();
    Path file = directory.resolve("key.pem");
    try (JcaPEMWriter writer = new JcaPEMWriter(Files.newBufferedWriter(file))) {
      writer.writeObject(pair);
    }

    assertThat(Files.readString(file)).startsWith("-----BEGIN RSA PRIVATE KEY-----");
    assertThat(Pem.key(file)).isEqualTo(pair.getPrivate());
  }

  @Test
  void key_encrypted_isRefused() throws IOException {
    Path file = write("ENCRYPTED PRIVATE KEY");

    assertThatThrownBy(() -> Pem.key(file))
        .isInstanceOf(PkiException.class)
        .hasMessage(file + ": the key is encrypted, which is not supported");
  }

  @Test
  void key_thatIsRubbish_isRefused() throws IOException {
    Path file = write("PRIVATE KEY");

    assertThatThrownBy(() -> Pem.key(file))
        .isInstanceOf(PkiException.class)
        .hasMessage(file + ": the key is neither EC, RSA nor Ed25519");
  }

  @Test
  void certificate_thatIsRubbish_isRefused() throws IOException {
    Path file = write("CERTIFICATE");

    assertThatThrownBy(() -> Pem.certificates(file))
        .isInstanceOf(PkiException.class)
        .hasMessageStartingWith(file + ": a certificate cannot be read: ");
  }

  @Test
  void file_thatIsNotThere_isRefused() {
    Path file = directory.resolve("none");

    assertThatThrownBy(() -> Pem.key(file))
        .isInstanceOf(PkiException.class)
        .hasMessageStartingWith("cannot read " + file);
  }

  private Path write(String label) throws IOException {
    return Files.writeString(
        directory.resolve("x.pem"),
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(label, Base64.getEncoder().encodeToString(new byte[40]), label));
  }
}
