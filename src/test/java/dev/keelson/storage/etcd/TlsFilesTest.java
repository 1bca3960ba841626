package dev.keelson.storage.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.storage.StorageException;
import dev.keelson.testing.TestCertificates;
import dev.keelson.testing.TestCertificates.KeyForm;
import dev.keelson.testing.TestCertificates.Pair;
import io.netty.handler.ssl.JdkSslContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TlsFilesTest {

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void context_withAnyFormOfKey_isForClients(KeyForm form) {
    TestCertificates certificates = TestCertificates.in(directory);
    Pair client = certificates.issue("client", form);

    assertThat(
            TlsFiles.context(
                    new EtcdTls(certificates.authority(), client.certificate(), client.key()))
                .isClient())
        .isTrue();
  }

  /** BoringSSL, which is on the class path, does not verify all kinds of servers. */
  @Test
  void context_isOfTheJdk() {
    Path authority = TestCertificates.in(directory).authority();

    assertThat(TlsFiles.context(new EtcdTls(authority, null, null)))
        .isInstanceOf(JdkSslContext.class);
  }

  @Test
  void context_withAnEncryptedKey_saysSo() throws IOException {
    Pair client = TestCertificates.in(directory).issue("client", KeyForm.PKCS8_EC);
    Path key =
        Files.writeString(
            directory.resolve("encrypted.pem"),
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n");

    assertThatThrownBy(() -> TlsFiles.context(new EtcdTls(null, client.certificate(), key)))
        .isInstanceOf(StorageException.Unavailable.class)
        .hasMessage(
            "private key for etcd: " + key + ": the key is encrypted, which is not supported");
  }

  @Test
  void context_withoutACertificateInTheFile_namesIt() throws IOException {
    Path empty = Files.writeString(directory.resolve("empty.pem"), "nothing");

    assertThatThrownBy(() -> TlsFiles.context(new EtcdTls(empty, null, null)))
        .isInstanceOf(StorageException.Unavailable.class)
        .hasMessage("certificates for etcd: " + empty + " holds no certificate in PEM");
  }
}
