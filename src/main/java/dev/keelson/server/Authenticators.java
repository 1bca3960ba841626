package dev.keelson.server;

import dev.keelson.authn.Authenticator;
import dev.keelson.authn.AuthenticatorChain;
import dev.keelson.authn.token.StaticTokens;
import dev.keelson.authn.x509.ClientCertificates;
import dev.keelson.client.ResourceClient;
import dev.keelson.config.AuthenticationOptions;
import dev.keelson.server.pki.Pem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Builds the chain of authenticators from the options. */
final class Authenticators {

  private Authenticators() {}

  /**
   * The chain.
   *
   * @param own the server's own authority, whose client certificates are always accepted: the
   *     administrator's is one
   */
  static AuthenticatorChain chain(
      AuthenticationOptions options,
      X509Certificate own,
      List<Authenticator> tokenReaders,
      ResourceClient client,
      InstantSource clock) {
    List<Authenticator> authenticators = new ArrayList<>();
    List<X509Certificate> authorities = new ArrayList<>();
    authorities.add(own);
    Path more = options.clientCaFile();
    if (more != null) {
      authorities.addAll(Pem.certificates(more));
    }
    authenticators.add(new ClientCertificates(authorities, clock));
    Path tokens = options.tokenFile();
    if (tokens != null) {
      authenticators.add(tokens(tokens));
    }
    authenticators.addAll(tokenReaders);
    return new AuthenticatorChain(authenticators, options.anonymous());
  }

  private static Authenticator tokens(Path file) {
    try {
      return StaticTokens.parse(Files.readString(file));
    } catch (IOException e) {
      throw new StartException("--token-auth-file: cannot read " + file + ": " + e, e);
    } catch (IllegalArgumentException e) {
      throw new StartException("--token-auth-file: " + file + ": " + e.getMessage(), e);
    }
  }
}
