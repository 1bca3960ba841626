package dev.keelson.pem;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.testing.TestAuthority;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PemCertificatesTest {

  private static final X509Certificate ONE = TestAuthority.root("one").certificate();
  private static final X509Certificate TWO = TestAuthority.root("two").certificate();

  @TempDir Path directory;

  @Test
  void certificates_areWrittenAndReadInTheirOrder() {
    assertThat(PemCertificates.parse("text", PemCertificates.text(List.of(TWO, ONE))))
        .containsExactly(TWO, ONE);
  }

  @Test
  void otherBlocksAndText_areSkipped() throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("x.pem"),
            "subject=\u00e4\n"
                + new PemBlock("PRIVATE KEY", new byte[9]).text()
                + PemCertificates.text(List.of(ONE)));

    assertThat(PemCertificates.read(file)).containsExactly(ONE);
  }

  @Test
  void noCertificate_isRefused() {
    assertThatThrownBy(() -> PemCertificates.parse("file", "rubbish"))
        .isInstanceOf(PemException.class)
        .hasMessage("file holds no certificate in PEM");
  }

  @Test
  void certificate_thatIsRubbish_isRefused() {
    String text = new PemBlock(PemCertificates.TYPE, new byte[40]).text();

    assertThatThrownBy(() -> PemCertificates.parse("file", text))
        .isInstanceOf(PemException.class)
        .hasMessageStartingWith("file: a certificate cannot be read: ");
  }

  @Test
  void file_thatIsNotThere_isRefused() {
    Path file = directory.resolve("none");

    assertThatThrownBy(() -> PemCertificates.read(file))
        .isInstanceOf(PemException.class)
        .hasMessageStartingWith("cannot read " + file);
  }
}
