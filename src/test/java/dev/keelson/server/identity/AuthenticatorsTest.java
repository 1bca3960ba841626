package dev.keelson.server.identity;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.keelson.authn.Authentication;
import dev.keelson.authn.oidc.IssuerMetrics;
import dev.keelson.config.Flags;
import dev.keelson.config.option.AuthenticationOptions;
import dev.keelson.registry.client.LocalResourceClient;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.server.lifecycle.StartupException;
import dev.keelson.testing.LocalApi;
import dev.keelson.testing.TestAuthority;
import dev.keelson.testing.TestAuthority.Period;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Source: {@code TestAuthenticationValidate} of kube-apiserver. */
class AuthenticatorsTest {

  private final TestAuthority own = TestAuthority.root("own", Period.now());
  private final TestAuthority clients = TestAuthority.root("clients", Period.now());
  private final TestAuthority proxies = TestAuthority.root("proxies", Period.now());
  private final LocalApi api;
  private Path clientFile;
  private Path proxyFile;

  AuthenticatorsTest(@TempDir Path directory) {
    api = LocalApi.openStrict(directory);
    clientFile = directory.resolve("clients.pem");
    proxyFile = directory.resolve("proxies.pem");
  }

  @BeforeEach
  void write() throws IOException {
    Path unused = Files.writeString(clientFile, clients.pem());
    unused = Files.writeString(proxyFile, proxies.pem() + clients.pem());
  }

  @AfterEach
  void close() {
    api.close();
  }

  private void build(String... flags) {
    AuthenticationOptions options =
        ((Flags.Wish.Run) new Flags().read(List.of(flags), Map.of())).options().authentication();
    try (FileReloader files = new FileReloader()) {
      var unused =
          new Authenticators(
                  options,
                  new LocalResourceClient(api.catalog(), api.registry()),
                  IssuerMetrics.NONE,
                  InstantSource.system(),
                  files)
              .chain(own.certificate(), credentials -> new Authentication.NoOpinion());
    }
  }

  @Test
  void authorityOfClients_mayNotBeOneOfProxies_unlessTheirNamesAreGiven() throws IOException {
    String[] flags = {
      "--client-ca-file=" + clientFile, "--requestheader-client-ca-file=" + proxyFile
    };

    assertThatThrownBy(() -> build(flags))
        .isInstanceOf(StartupException.class)
        .hasMessage(
            "--requestheader-client-ca-file and --client-ca-file contain overlapping certificates;"
                + " --requestheader-allowed-names must be specified to ensure regular client"
                + " certificates cannot set authenticating proxy headers for arbitrary users");
    assertThatCode(() -> build(flags[0], flags[1], "--requestheader-allowed-names=front"))
        .doesNotThrowAnyException();
    assertThatCode(() -> build(flags[1])).doesNotThrowAnyException();
    Path unused = Files.writeString(proxyFile, proxies.pem());
    assertThatCode(() -> build(flags)).doesNotThrowAnyException();
  }

  @Test
  void ownAuthority_isOneOfClients() throws IOException {
    Path unused = Files.writeString(proxyFile, own.pem());

    assertThatThrownBy(() -> build("--requestheader-client-ca-file=" + proxyFile))
        .isInstanceOf(StartupException.class)
        .hasMessageContaining("overlapping certificates");
  }
}
