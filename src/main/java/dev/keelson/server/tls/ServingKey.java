package dev.keelson.server.tls;

import dev.keelson.cache.BoundedCache;
import dev.keelson.config.option.KeyPairFiles;
import dev.keelson.config.option.ServingOptions;
import dev.keelson.config.option.TlsOptions;
import dev.keelson.pem.PemCertificates;
import dev.keelson.pem.PemPrivateKeys;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.server.pki.Identity;
import dev.keelson.server.pki.SubjectNames;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import org.jspecify.annotations.Nullable;

/**
 * Selects the serving certificate by the server name indication of the client (RFC 6066, section
 * 3), otherwise the default one. It is called for every handshake, so that new handshakes use
 * reloaded certificates.
 */
public final class ServingKey extends X509ExtendedKeyManager {

  /** Maximum number of aliases, more than are in use at the same time. */
  private static final int MAX_ALIASES = 256;

  private final List<Choice> choices;

  /** The identity of each alias at the time it was selected. */
  private final BoundedCache<String, Identity> chosen = new BoundedCache<>(MAX_ALIASES);

  /** An identity and its alias, which no other identity of this process has or had. */
  private record Named(String alias, Identity identity) {}

  private static final class Choice {

    private static final AtomicLong SERIAL = new AtomicLong();

    private final List<String> patterns;
    private final FileReloader.Current<Identity> identity;
    private volatile Named current;

    Choice(List<String> patterns, FileReloader.Current<Identity> identity) {
      this.patterns = patterns;
      this.identity = identity;
      current = name(identity.get());
    }

    private static Named name(Identity identity) {
      return new Named(Long.toString(SERIAL.incrementAndGet()), identity);
    }

    Named now() {
      Identity now = identity.get();
      Named known = current;
      if (known.identity() != now) {
        known = name(now);
        current = known;
      }
      return known;
    }

    /** Returns 2 for an exact match of a name, 1 for a wildcard match, 0 for none. */
    int fits(String name) {
      int best = 0;
      for (String pattern : patterns) {
        if (pattern.equals(name)) {
          return 2;
        }
        int dot = name.indexOf('.');
        if (pattern.startsWith("*.")
            && dot > 0
            && pattern.substring(1).equals(name.substring(dot))) {
          best = 1;
        }
      }
      return best;
    }
  }

  private ServingKey(List<Choice> choices) {
    this.choices = List.copyOf(choices);
  }

  /**
   * Creates the key manager.
   *
   * @param own the default serving certificate
   * @param files reloads certificate files
   */
  public static ServingKey of(ServingOptions options, Identity own, FileReloader files) {
    return of(options.given(), options.tls().named(), own, files);
  }

  /**
   * Creates the key manager.
   *
   * @param given the files of the default serving certificate; null for {@code own}
   * @param more further certificates, for clients that ask for one of their names
   * @param files reloads certificate files
   */
  public static ServingKey of(
      @Nullable KeyPairFiles given, List<TlsOptions.Named> more, Identity own, FileReloader files) {
    List<Choice> choices = new ArrayList<>();
    choices.add(
        new Choice(List.of(), given == null ? () -> own : follow("--tls-cert-file", given, files)));
    for (TlsOptions.Named named : more) {
      FileReloader.Current<Identity> identity = follow("--tls-sni-cert-key", named.files(), files);
      List<String> patterns = named.patterns();
      choices.add(
          new Choice(
              patterns.isEmpty()
                  ? List.copyOf(SubjectNames.in(identity.get().certificate()).dns())
                  : patterns,
              identity));
    }
    return new ServingKey(choices);
  }

  private static FileReloader.Current<Identity> follow(
      String flag, KeyPairFiles pair, FileReloader files) {
    return files.follow(
        flag,
        List.of(pair.certificate(), pair.key()),
        texts -> {
          Identity identity =
              new Identity(
                  PemPrivateKeys.parse(pair.key().toString(), texts.get(1)),
                  PemCertificates.parse(pair.certificate().toString(), texts.get(0)));
          if (!identity.matches()) {
            throw new IllegalArgumentException(
                pair.key() + " does not match the certificate " + pair.certificate());
          }
          return identity;
        });
  }

  /** Whether BoringSSL signs with all keys as they are now. */
  public boolean isSupportedNatively() {
    return choices.stream()
        .allMatch(
            choice ->
                VerifiableKeys.isVerifiable(choice.now().identity().certificate().getPublicKey()));
  }

  @Override
  public @Nullable String chooseEngineServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
    Named named = named(engine);
    if (!keyType.equals(named.identity().key().getAlgorithm())) {
      return null;
    }
    chosen.put(named.alias(), named.identity());
    return named.alias();
  }

  private Named named(@Nullable SSLEngine engine) {
    Choice best = choices.getFirst();
    int most = 0;
    if (choices.size() > 1
        && engine != null
        && engine.getHandshakeSession() instanceof ExtendedSSLSession session) {
      for (SNIServerName server : session.getRequestedServerNames()) {
        if (server instanceof SNIHostName host) {
          String name = host.getAsciiName().toLowerCase(Locale.ROOT);
          for (Choice choice : choices) {
            int fit = choice.fits(name);
            if (fit > most) {
              most = fit;
              best = choice;
            }
          }
        }
      }
    }
    return best.now();
  }

  @Override
  public @Nullable String chooseServerAlias(
      String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return chooseEngineServerAlias(keyType, issuers, null);
  }

  @Override
  public String[] getServerAliases(String keyType, Principal @Nullable [] issuers) {
    String alias = chooseEngineServerAlias(keyType, issuers, null);
    return alias == null ? new String[0] : new String[] {alias};
  }

  @Override
  public X509Certificate[] getCertificateChain(String alias) {
    return of(alias).chain().toArray(X509Certificate[]::new);
  }

  @Override
  public PrivateKey getPrivateKey(String alias) {
    return of(alias).key();
  }

  private Identity of(String alias) {
    return chosen.get(alias).orElseGet(() -> choices.getFirst().now().identity());
  }

  @Override
  public String[] getClientAliases(String keyType, Principal @Nullable [] issuers) {
    return new String[0];
  }

  @Override
  public @Nullable String chooseClientAlias(
      String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
    return null;
  }
}
