package dev.keelson.server.tls;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.config.Flags;
import dev.keelson.config.option.ServingOptions;
import dev.keelson.server.lifecycle.StartupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificatesTest {

  @TempDir private Path directory;

  @Test
  void fileWithoutCertificate_isRefusedByTheNamesOfItsFlags() throws IOException {
    Path empty = Files.createFile(directory.resolve("empty.pem"));
    Flags.Wish wish =
        new Flags()
            .read(List.of("--tls-cert-file=" + empty, "--tls-private-key-file=" + empty), Map.of());
    ServingOptions options = ((Flags.Wish.Run) wish).options().serving();

    assertThatThrownBy(() -> Certificates.open(options, Instant.EPOCH))
        .isInstanceOf(StartupException.class)
        .hasMessage(
            "--tls-cert-file, --tls-private-key-file: " + empty + " holds no private key in PEM");
  }
}
