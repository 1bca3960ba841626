package dev.keelson.server.tls;

import dev.keelson.api.Names;
import dev.keelson.cache.BoundedCache;
import dev.keelson.config.option.KeyPairFiles;
import dev.keelson.config.option.ServingOptions;
import dev.keelson.config.option.TlsOptions;
import dev.keelson.pem.CommonName;
import dev.keelson.pem.PemCertificates;
import dev.keelson.pem.PemPrivateKeys;
import dev.keelson.server.lifecycle.FileReloader;
import dev.keelson.server.pki.Identity;
import dev.keelson.server.pki.SubjectNames;
import dev.keelson.value.IpAddress;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
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
 * reloaded certificates and their names (source: apiserver, dynamiccertificates,
 * named_certificates.go; without its choice by the address that a client without a name connects
 * to).
 */
public final class ServingKey extends X509ExtendedKeyManager {

  /** Maximum number of aliases, more than are in use at the same time. */
  private static final int MAX_ALIASES = 256;

  private final List<Choice> choices;

  /** The identity of each alias at the time it was selected. */
  private final BoundedCache<String, Identity> chosen = new BoundedCache<>(MAX_ALIASES);

  /**
   * An identity.
   *
   * @param alias its name, which no other identity of this process has or had
   * @param names the names for which clients get it; none for the default one
   */
  private record Named(String alias, Identity identity, Set<String> names) {

    /** Whether the certificate is valid for one of these two names. */
    boolean covers(String host, String wildcard) {
      Set<String> covered = SubjectNames.in(identity.certificate()).dns();
      return covered.contains(host) || covered.contains(wildcard);
    }
  }

  private static final class Choice {

    private static final AtomicLong SERIAL = new AtomicLong();

    private final Naming naming;
    private final Set<String> patterns;
    private final FileReloader.Current<Identity> identity;
    private volatile Named current;

    Choice(Naming naming, List<String> patterns, FileReloader.Current<Identity> identity) {
      this.naming = naming;
      this.patterns = Set.copyOf(patterns);
      this.identity = identity;
      current = name(identity.get());
    }

    private Named name(Identity identity) {
      return new Named(
          Long.toString(SERIAL.incrementAndGet()),
          identity,
          naming == Naming.CERTIFICATE ? names(identity.certificate()) : patterns);
    }

    /** The names of a certificate (source: {@code getCertificateNames}). */
    private static Set<String> names(X509Certificate certificate) {
      Set<String> names = new HashSet<>(SubjectNames.in(certificate).dns());
      String common = CommonName.of(certificate.getSubjectX500Principal());
      if (!common.isEmpty() && isDomain(common)) {
        names.add(common);
      }
      return names;
    }

    private static boolean isDomain(String name) {
      String bare = name.startsWith("*.") ? name.substring(2) : name;
      return name.equals("*")
          || (IpAddress.tryParse(name).isEmpty() && Names.dnsSubdomain(bare).isEmpty());
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
  }

  /** Where the names of a choice are from. */
  private enum Naming {
    /** It has none: the default one. */
    NONE,
    /** The certificate, as it is now. */
    CERTIFICATE,
    /** The flag; they precede those of certificates. */
    FLAG
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
        new Choice(
            Naming.NONE,
            List.of(),
            given == null ? () -> own : follow("--tls-cert-file", given, files)));
    for (TlsOptions.Named named : more) {
      choices.add(
          new Choice(
              named.patterns().isEmpty() ? Naming.CERTIFICATE : Naming.FLAG,
              named.patterns(),
              follow("--tls-sni-cert-key", named.files(), files)));
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
    if (choices.size() > 1
        && engine != null
        && engine.getHandshakeSession() instanceof ExtendedSSLSession session) {
      for (SNIServerName server : session.getRequestedServerNames()) {
        if (server instanceof SNIHostName host) {
          return named(host.getAsciiName().toLowerCase(Locale.ROOT));
        }
      }
    }
    return choices.getFirst().now();
  }

  /** The identity for clients that request {@code host}. */
  Identity identity(String host) {
    return named(host).identity();
  }

  /**
   * As Go's crypto/tls finds the certificate for a name: the one with this name, the one with a
   * wildcard for it, the first one that is valid for it, the default one.
   */
  private Named named(String host) {
    int dot = host.indexOf('.');
    String wildcard = dot < 0 ? "*" : "*" + host.substring(dot);
    Named found = withName(host);
    if (found == null) {
      found = withName(wildcard);
    }
    if (found != null) {
      return found;
    }
    return choices.stream()
        .map(Choice::now)
        .filter(each -> each.covers(host, wildcard))
        .findFirst()
        .orElseGet(() -> choices.getFirst().now());
  }

  /** The first one with this name by its flag, else by its certificate; null if none has it. */
  private @Nullable Named withName(String name) {
    Named byCertificate = null;
    for (Choice choice : choices) {
      Named now = choice.now();
      if (now.names().contains(name)) {
        if (choice.naming == Naming.FLAG) {
          return now;
        }
        byCertificate = byCertificate == null ? now : byCertificate;
      }
    }
    return byCertificate;
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
