package dev.keelson.config;

import dev.keelson.config.flag.Checks;
import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.KeyPairFiles;
import dev.keelson.config.option.TlsOptions;
import dev.keelson.config.option.TlsOptions.Implementation;
import dev.keelson.value.GoQuote;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** Flags of TLS and HTTP/2. */
final class TlsFlags {

  /** The cipher suites of TLS 1.3, which are not configurable, as in Kubernetes. */
  private static final List<String> SUITES_1_3 =
      List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

  /** The other cipher suites of Go by its names, those that it takes for insecure at the end. */
  private static final Set<String> SUITES_1_2 =
      Set.of(
          "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
          "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
          "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
          "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_RSA_WITH_RC4_128_SHA",
          "TLS_RSA_WITH_3DES_EDE_CBC_SHA",
          "TLS_RSA_WITH_AES_128_CBC_SHA",
          "TLS_RSA_WITH_AES_256_CBC_SHA",
          "TLS_RSA_WITH_AES_128_CBC_SHA256",
          "TLS_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_RC4_128_SHA",
          "TLS_ECDHE_RSA_WITH_RC4_128_SHA",
          "TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA",
          "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256");

  /** Names without the hash, which Go had first and kube-apiserver still takes. */
  private static final Pattern FORMER =
      Pattern.compile("TLS_ECDHE_(RSA|ECDSA)_WITH_CHACHA20_POLY1305");

  private static final String NEWEST = "VersionTLS13";

  /** Taken as TLS 1.2: what is older is served by no current implementation. */
  private static final List<String> OLDER = List.of("VersionTLS10", "VersionTLS11");

  private static final int MAX_STREAMS = 100;

  private final Flag<String> minVersion;
  private final Flag<List<String>> cipherSuites;
  private final Flag<List<TlsOptions.Named>> named;
  private final Flag<Integer> maxStreams;
  private final Flag<Implementation> implementation;

  TlsFlags(FlagGroup group) {
    minVersion =
        group.single(
            "tls-min-version",
            "VERSION",
            "VersionTLS12",
            "Minimum TLS version: VersionTLS12 or VersionTLS13. VersionTLS10 and VersionTLS11 are"
                + " taken as VersionTLS12.",
            TlsFlags::version);
    cipherSuites =
        group.list(
            "tls-cipher-suites",
            "NAME",
            "Cipher suites for TLS 1.2; those of TLS 1.3 are not configurable. Suites of Kubernetes"
                + " that the JDK does not offer are left out with a warning. Defaults to those with"
                + " forward secrecy.",
            Values::text);
    named =
        group.repeated(
            "tls-sni-cert-key",
            "CERT,KEY[:NAMES]",
            "Certificate and private key in PEM for clients that request one of the"
                + " certificate's names, or one of NAMES (comma-separated, with *.example.com for"
                + " all names of a domain). May be repeated.",
            TlsFlags::pair);
    maxStreams =
        group.single(
            "http2-max-streams-per-connection",
            "COUNT",
            Integer.toString(MAX_STREAMS),
            "Maximum number of concurrent requests on one HTTP/2 connection; 0 is the default.",
            Values.integer(Integer.MIN_VALUE, 100_000));
    implementation =
        group.single(
            "tls-implementation",
            "NAME",
            "auto",
            "TLS of the listener: auto for BoringSSL where it is part of the build, or java for that"
                + " of the JDK. Clients with Ed25519 or P-521 keys need java, which auto selects if"
                + " one of the client CAs has such a key.",
            Values.oneOf(List.of(Implementation.values())));
  }

  TlsOptions options(Settings settings) {
    List<String> suites = settings.value(cipherSuites);
    boolean only13 = settings.value(minVersion).equals(NEWEST);
    for (TlsOptions.Named one : settings.value(named)) {
      Path unused = Checks.readable(named, one.files().certificate());
      unused = Checks.readable(named, one.files().key());
    }
    List<String> used = suites.isEmpty() ? List.of() : used(suites);
    int streams = settings.value(maxStreams);
    return new TlsOptions(
        only13 ? List.of("TLSv1.3") : List.of("TLSv1.3", "TLSv1.2"),
        only13 ? List.of() : used,
        settings.value(named),
        streams <= 0 ? MAX_STREAMS : streams,
        settings.value(implementation));
  }

  /** One line for each setting that is accepted without its full effect. */
  List<String> warnings(Settings settings) {
    List<String> warnings = new ArrayList<>();
    String least = settings.value(minVersion);
    if (OLDER.contains(least)) {
      warnings.add(minVersion.dashed() + "=" + least + " has no effect: TLS 1.2 is the least");
    }
    if (least.equals(NEWEST) && !settings.value(cipherSuites).isEmpty()) {
      warnings.add(
          cipherSuites.dashed()
              + " has no effect with "
              + minVersion.dashed()
              + "=VersionTLS13: the suites of TLS 1.3 are not configurable");
    }
    return warnings;
  }

  /**
   * The named suites, those of TLS 1.3 first. Which of them the TLS of the JDK has is found out
   * when the server starts: asking it would initialize it, before its groups are limited.
   */
  private List<String> used(List<String> named) {
    Set<String> suites = new LinkedHashSet<>(SUITES_1_3);
    for (String name : named) {
      String suite = FORMER.matcher(name).matches() ? name + "_SHA256" : name;
      if (!SUITES_1_3.contains(suite) && !SUITES_1_2.contains(suite)) {
        throw new FlagException(
            cipherSuites.dashed() + ": Cipher suite " + name + " not supported or doesn't exist");
      }
      suites.add(suite);
    }
    return List.copyOf(suites);
  }

  private static String version(String text) {
    if (text.isEmpty()) {
      return "VersionTLS12";
    }
    if (!text.equals("VersionTLS12") && !text.equals(NEWEST) && !OLDER.contains(text)) {
      throw new IllegalArgumentException("unknown tls version " + GoQuote.quote(text));
    }
    return text;
  }

  /** Source: component-base, cli/flag, namedcertkey_flag.go. */
  private static TlsOptions.Named pair(String text) {
    int colon = text.indexOf(':');
    String[] files = (colon < 0 ? text : text.substring(0, colon)).split(",", -1);
    List<String> names = List.of();
    if (colon >= 0) {
      names = Values.split(List.of(text.substring(colon + 1).toLowerCase(Locale.ROOT)));
      if (names.isEmpty()) {
        throw new IllegalArgumentException("empty names list is not allowed");
      }
    }
    if (files.length != 2 || files[0].isBlank() || files[1].isBlank()) {
      throw new IllegalArgumentException("expected comma separated certificate and key file paths");
    }
    return new TlsOptions.Named(
        new KeyPairFiles(Values.path(files[0].strip()), Values.path(files[1].strip())), names);
  }
}
