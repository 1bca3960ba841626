package dev.keelson.config;

import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.FlagGroup;
import dev.keelson.config.flag.Settings;
import dev.keelson.config.flag.Values;
import dev.keelson.config.option.WebOptions;
import dev.keelson.value.Csv;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Flags of what responses tell clients and browsers, and of the protocols they may use. */
final class WebFlags {

  private static final String MAX_AGE = "max-age=";

  /** The group that only BoringSSL has. */
  private static final String HYBRID = "X25519MLKEM768";

  /** The groups by number (Go's {@code tls.CurveID}), named as JSSE does. */
  private static final Map<Integer, String> GROUPS =
      Map.of(
          23, "secp256r1",
          24, "secp384r1",
          25, "secp521r1",
          29, "x25519",
          30, "x448",
          4588, HYBRID);

  /** The name of a metric and of one of its labels. */
  private static final Pattern METRIC_LABEL =
      Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*,[a-zA-Z_][a-zA-Z0-9_]*");

  private final Flag<Boolean> console;
  private final Flag<List<List<String>>> cors;
  private final Flag<List<String>> strictTransport;
  private final Flag<@Nullable String> externalHost;
  private final Flag<Boolean> withoutHttp2;
  private final Flag<List<Integer>> curves;
  private final Flag<List<String>> disabledMetrics;
  private final Flag<List<Map<String, String>>> metricLabels;
  private final Flag<@Nullable Path> metricLabelsFile;

  WebFlags(FlagGroup group) {
    console =
        group.toggle(
            "console",
            true,
            "Serve the console, a web page that shows and edits objects with the user's own rights,"
                + " at /console/.");
    cors =
        group.repeated(
            "cors-allowed-origins",
            "REGEXP",
            "Origins that may use the server from a browser (CORS), as regular expressions that"
                + " match the whole host name: with // or ^ before it, and $ or (:|$) behind it,"
                + " for example //example.com(:|$).",
            WebFlags::origins);
    strictTransport =
        group.list(
            "strict-transport-security-directives",
            "DIRECTIVE",
            "Directives of the header Strict-Transport-Security, for example"
                + " max-age=31536000,includeSubDomains,preload. No header by default.",
            WebFlags::directive);
    externalHost =
        group.optional(
            "external-hostname",
            "HOST",
            "Host name, possibly with a port, in documents that name this server (OpenID discovery,"
                + " /api). Defaults to the advertised address.",
            Values::text);
    withoutHttp2 =
        group.toggle("disable-http2-serving", false, "Serve HTTP/1.1 only, without HTTP/2.");
    curves =
        group.list(
            "tls-curve-preferences",
            "ID",
            "Allowed TLS key exchange groups by number (23 secp256r1, 24 secp384r1, 25 secp521r1,"
                + " 29 x25519, 30 x448, 4588 X25519MLKEM768), for the connections of clients."
                + " Others are left out. 4588 needs another one beside it, since the TLS of the JDK"
                + " does not have it. All by default.",
            Values.integer(1, 65535));
    disabledMetrics =
        group.list(
            "disabled-metrics",
            "NAME",
            "Metrics that are not recorded, by their full name.",
            Values::text);
    metricLabels =
        group.repeated(
            "allow-metric-labels",
            "METRIC,LABEL=VALUES",
            "Values that a label of a metric may have, with commas between them; others are counted"
                + " as unexpected. Several labels are pairs in quotes with commas between them, or"
                + " flags of their own.",
            WebFlags::pairs);
    metricLabelsFile =
        group.optional(
            "allow-metric-labels-manifest",
            "FILE",
            "YAML object of such pairs, METRIC,LABEL: VALUES; those of the flag win.",
            Values::path);
  }

  /** As pflag reads its maps: one pair is the whole text, several are in the form of CSV. */
  private static Map<String, String> pairs(String text) {
    boolean single = text.indexOf('=') == text.lastIndexOf('=');
    List<String> pairs =
        single ? List.of(text.replaceAll("^\"+|\"+$", "")) : Csv.lines(text).getFirst().cells();
    Map<String, String> found = new HashMap<>();
    for (String pair : pairs) {
      int equals = pair.indexOf('=');
      if (equals < 0 || !METRIC_LABEL.matcher(pair.substring(0, equals)).matches()) {
        throw Values.expected("METRIC,LABEL=VALUES", pair);
      }
      found.put(pair.substring(0, equals), pair.substring(equals + 1));
    }
    return found;
  }

  private static Map<String, String> merged(List<Map<String, String>> all) {
    Map<String, String> merged = new HashMap<>();
    all.forEach(merged::putAll);
    return merged;
  }

  WebOptions options(Settings settings) {
    List<Integer> asked = settings.value(curves);
    List<String> groups =
        asked.stream().map(GROUPS::get).filter(Objects::nonNull).distinct().toList();
    if (!asked.isEmpty() && groups.isEmpty()) {
      throw new FlagException(
          "invalid " + curves.dashed() + " value: none of " + asked + " is supported");
    }
    if (groups.equals(List.of(HYBRID))) {
      throw new FlagException(
          "invalid "
              + curves.dashed()
              + " value: 4588 needs another group beside it, which the TLS of the JDK has");
    }
    return new WebOptions(
        settings.value(cors).stream().flatMap(List::stream).toList(),
        String.join("; ", settings.value(strictTransport)),
        settings.value(externalHost),
        !settings.value(withoutHttp2),
        groups,
        settings.value(disabledMetrics),
        merged(settings.value(metricLabels)),
        settings.value(metricLabelsFile),
        settings.value(console));
  }

  /** Patterns between commas, none of which is empty. */
  private static List<String> origins(String text) {
    return Arrays.stream(text.split(",", -1)).map(WebFlags::origin).toList();
  }

  /**
   * As in kube-apiserver, a pattern must have a mark of the start and one of the end of the host,
   * wherever they are.
   */
  private static String origin(String given) {
    String text = given.strip();
    if (text.isEmpty()) {
      throw new IllegalArgumentException("empty value in --cors-allowed-origins");
    }
    boolean start = text.contains("^") || text.contains("//");
    boolean end = text.contains("$") || text.contains(":");
    if (!start || !end) {
      throw new IllegalArgumentException(
          "regular expression does not pin to start/end of host in the origin header");
    }
    return text;
  }

  /** Source: {@code validateHSTSDirectives} of apiserver. */
  private static String directive(String text) {
    if (text.startsWith(MAX_AGE)) {
      int unused = Values.integer(0, Integer.MAX_VALUE).apply(text.substring(MAX_AGE.length()));
    } else if (!text.equals("includeSubDomains") && !text.equals("preload")) {
      throw new IllegalArgumentException(
          "--strict-transport-security-directives invalid, allowed values: max-age=expireTime, includeSubDomains, preload. see"
              + " https://tools.ietf.org/html/rfc6797#section-6.1 for more information");
    }
    return text;
  }
}
