package dev.keelson.server;

import dev.keelson.authn.Authenticator;
import dev.keelson.authn.AuthenticatorChain;
import dev.keelson.authn.ForTheApi;
import dev.keelson.authn.RemoteService;
import dev.keelson.authn.bootstrap.BootstrapTokens;
import dev.keelson.authn.oidc.OidcOptions;
import dev.keelson.authn.oidc.OidcTokens;
import dev.keelson.authn.proxy.FrontProxy;
import dev.keelson.authn.proxy.ProxyOptions;
import dev.keelson.authn.token.BasicPasswords;
import dev.keelson.authn.token.StaticTokens;
import dev.keelson.authn.webhook.WebhookOptions;
import dev.keelson.authn.webhook.WebhookTokens;
import dev.keelson.authn.x509.ClientCertificates;
import dev.keelson.client.ResourceClient;
import dev.keelson.config.AuthenticationOptions;
import dev.keelson.server.pki.Pem;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Builds the chain of authenticators from the options, in the order of kube-apiserver. */
final class Authenticators {

  /** How long a webhook may take for an answer, as in Kubernetes. */
  private static final Duration WEBHOOK_TIMEOUT = Duration.ofSeconds(30);

  private final AuthenticationOptions options;
  private final ResourceClient client;
  private final InstantSource clock;
  private final FileWatch files;

  Authenticators(
      AuthenticationOptions options, ResourceClient client, InstantSource clock, FileWatch files) {
    this.options = options;
    this.client = client;
    this.clock = clock;
    this.files = files;
  }

  /**
   * The chain.
   *
   * @param own the server's own authority, whose client certificates are always accepted: the
   *     administrator's is one
   * @param accounts knows tokens of service accounts
   */
  AuthenticatorChain chain(X509Certificate own, Authenticator accounts) {
    List<Authenticator> chain = new ArrayList<>();
    ProxyOptions proxy = options.proxy();
    if (proxy != null) {
      chain.add(
          new FrontProxy(
              proxy,
              file(
                  "--requestheader-client-ca-file",
                  proxy.clientCaFile(),
                  text -> certificates(List.of(), proxy.clientCaFile(), text))));
    }
    chain.add(clientCertificates(own));
    add(chain, "--basic-auth-file", options.basicFile(), BasicPasswords::parse);
    List<Authenticator> tokens = new ArrayList<>();
    add(tokens, "--token-auth-file", options.tokenFile(), StaticTokens::parse);
    if (options.bootstrapTokens()) {
      tokens.add(new BootstrapTokens(client, clock));
    }
    OidcOptions oidc = options.oidc();
    if (oidc != null) {
      tokens.add(new OidcTokens(oidc, provider(oidc.caFile()), clock));
    }
    tokens.forEach(reader -> chain.add(new ForTheApi(reader, options.apiAudiences())));
    chain.add(accounts);
    WebhookOptions webhook = options.webhook();
    if (webhook != null) {
      FileWatch.Current<RemoteConfig> remote =
          RemoteConfig.follow(
              files,
              "--authentication-token-webhook-config-file",
              webhook.configFile(),
              WEBHOOK_TIMEOUT);
      chain.add(
          new WebhookTokens(
              webhook, json -> remote.get().post(json), options.apiAudiences(), clock));
    }
    return new AuthenticatorChain(chain, options.anonymous());
  }

  /** Reaches a provider, whose certificate must be of the authorities that the file has now. */
  private RemoteService provider(@Nullable Path authorities) {
    if (authorities == null) {
      SSLContext host = RemoteConfig.trusting(List.of());
      return new RemoteService(() -> host, Map.of());
    }
    FileWatch.Current<SSLContext> trust =
        files.follow(
            "--oidc-ca-file",
            List.of(authorities),
            texts ->
                RemoteConfig.trusting(Pem.certificates(authorities.toString(), texts.getFirst())));
    return new RemoteService(trust::get, Map.of());
  }

  private Authenticator clientCertificates(X509Certificate own) {
    Path more = options.clientCaFile();
    return more == null
        ? new ClientCertificates(List.of(own), clock)
        : file("--client-ca-file", more, text -> certificates(List.of(own), more, text));
  }

  private ClientCertificates certificates(List<X509Certificate> own, Path file, String text) {
    List<X509Certificate> authorities = new ArrayList<>(own);
    authorities.addAll(Pem.certificates(file.toString(), text));
    return new ClientCertificates(authorities, clock);
  }

  private void add(
      List<Authenticator> readers,
      String flag,
      @Nullable Path file,
      Function<String, Authenticator> parser) {
    if (file != null) {
      readers.add(file(flag, file, parser));
    }
  }

  /** An authenticator that is made anew whenever its file has changed for the better. */
  private Authenticator file(String flag, Path file, Function<String, Authenticator> parser) {
    FileWatch.Current<Authenticator> current =
        files.follow(flag, List.of(file), texts -> parser.apply(texts.getFirst()));
    return credentials -> current.get().authenticate(credentials);
  }
}
