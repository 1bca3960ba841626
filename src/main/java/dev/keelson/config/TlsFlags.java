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
import java.nio.file.Path;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLContext;

/** Flags of TLS and HTTP/2. */
final class TlsFlags {

  /** The cipher suites of TLS 1.3, which are not configurable, as in Kubernetes. */
  private static final List<String> SUITES_1_3 =
      List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");

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
            "Minimum TLS version: VersionTLS12 or VersionTLS13.",
            TlsFlags::version);
    cipherSuites =
        group.list(
            "tls-cipher-suites",
            "NAME",
            "Cipher suites for TLS 1.2; those of TLS 1.3 are not configurable. Defaults to"
                + " those with forward secrecy.",
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
            Values.integer(0, 100_000));
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
    boolean only13 = settings.value(minVersion).equals("VersionTLS13");
    if (!suites.isEmpty() && only13) {
      throw new FlagException(
          cipherSuites.dashed() + " does not go with " + minVersion.dashed() + "=VersionTLS13");
    }
    for (TlsOptions.Named one : settings.value(named)) {
      Path unused = Checks.readable(named, one.files().certificate());
      unused = Checks.readable(named, one.files().key());
    }
    return new TlsOptions(
        only13 ? List.of("TLSv1.3") : List.of("TLSv1.3", "TLSv1.2"),
        suites.isEmpty() ? List.of() : known(suites),
        settings.value(named),
        settings.value(maxStreams) == 0 ? MAX_STREAMS : settings.value(maxStreams),
        settings.value(implementation));
  }

  private List<String> known(List<String> suites) {
    List<String> supported;
    try {
      supported = List.of(SSLContext.getDefault().getSupportedSSLParameters().getCipherSuites());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has TLS", e);
    }
    List<String> all = new ArrayList<>(SUITES_1_3);
    for (String suite : suites) {
      if (!supported.contains(suite)) {
        throw new FlagException(
            cipherSuites.dashed() + ": the suite \"" + suite + "\" is not supported");
      }
      if (!all.contains(suite)) {
        all.add(suite);
      }
    }
    return all;
  }

  private static String version(String text) {
    if (text.isEmpty()) {
      return "VersionTLS12";
    }
    if (!text.equals("VersionTLS12") && !text.equals("VersionTLS13")) {
      throw new IllegalArgumentException(
          "VersionTLS12 or VersionTLS13 is expected, found \"" + text + "\"");
    }
    return text;
  }

  private static TlsOptions.Named pair(String text) {
    int colon = text.lastIndexOf(':');
    String files = colon < 0 ? text : text.substring(0, colon);
    String[] parts = files.split(",", -1);
    if (parts.length != 2 || parts[0].isBlank() || parts[1].isBlank()) {
      throw new IllegalArgumentException(
          "CERT,KEY or CERT,KEY:NAMES is expected, found \"" + text + "\"");
    }
    List<String> names =
        colon < 0
            ? List.of()
            : Values.split(List.of(text.substring(colon + 1).toLowerCase(Locale.ROOT)));
    return new TlsOptions.Named(
        new KeyPairFiles(Values.path(parts[0].strip()), Values.path(parts[1].strip())), names);
  }
}
