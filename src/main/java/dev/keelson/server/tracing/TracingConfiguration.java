package dev.keelson.server.tracing;

import dev.keelson.object.Node;
import dev.keelson.object.Node.MapNode;
import dev.keelson.schema.codec.ObjectReader;
import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.FieldValidation;
import dev.keelson.schema.codec.tree.TreeBudget;
import dev.keelson.schema.codec.tree.Untyped;
import dev.keelson.server.lifecycle.StartupException;
import dev.keelson.value.GoQuote;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A TracingConfiguration of {@code apiserver.config.k8s.io} (source: apiserver,
 * server/options/tracing.go; component-base, tracing/api/v1).
 *
 * @param endpoint the collector: {@code host:port}, or a target of gRPC with the scheme {@code dns}
 *     or {@code unix}
 * @param samplingRatePerMillion how many of a million traces that begin here are sampled, 0 to
 *     1,000,000
 */
public record TracingConfiguration(String endpoint, int samplingRatePerMillion) {

  /** Where collectors listen for OTLP by gRPC. */
  static final String DEFAULT_ENDPOINT = "localhost:4317";

  static final int MILLION = 1_000_000;

  private static final String ENDPOINT = "endpoint";
  private static final String RATE = "samplingRatePerMillion";
  private static final Set<String> FIELDS = Set.of("apiVersion", "kind", ENDPOINT, RATE);
  private static final String GROUP = "apiserver.config.k8s.io/";
  private static final Set<String> VERSIONS =
      Set.of(GROUP + "v1", GROUP + "v1beta1", GROUP + "v1alpha1");

  /**
   * Reads the file of {@code --tracing-config-file}, strictly: unknown and duplicate fields are
   * errors.
   *
   * @throws StartupException naming the flag, the file and the field
   */
  public static TracingConfiguration read(Path file) {
    try {
      return parse(Files.readAllBytes(file));
    } catch (IOException e) {
      throw failure(file, "failed to read tracing config: " + e, e);
    } catch (IllegalArgumentException e) {
      throw failure(file, String.valueOf(e.getMessage()), e);
    }
  }

  private static StartupException failure(Path file, String why, Exception cause) {
    return new StartupException("--tracing-config-file " + file + ": " + why, cause);
  }

  /**
   * Decodes and validates a file.
   *
   * @throws IllegalArgumentException naming the field
   */
  static TracingConfiguration parse(byte[] yaml) {
    Untyped document;
    try {
      document = ObjectReader.untypedYaml(yaml, FieldValidation.STRICT, TreeBudget.unbounded());
    } catch (DecodeException e) {
      throw new IllegalArgumentException(
          "unable to decode tracing configuration data: " + e.text(), e);
    }
    if (!(document.root() instanceof MapNode root)) {
      throw new IllegalArgumentException(
          "unable to decode tracing configuration data: expected an object");
    }
    checkKind(root);
    List<String> problems = new ArrayList<>(document.problems());
    for (String key : root.keys()) {
      if (!FIELDS.contains(key)) {
        problems.add("unknown field " + GoQuote.quote(key));
      }
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(
          "unable to decode tracing configuration data: strict decoding error: "
              + String.join(", ", problems));
    }
    return new TracingConfiguration(endpoint(root.get(ENDPOINT)), rate(root.get(RATE)));
  }

  private static void checkKind(MapNode root) {
    String kind = root.text("kind");
    String version = root.text("apiVersion");
    if (!kind.equals("TracingConfiguration") || !VERSIONS.contains(version)) {
      throw new IllegalArgumentException(
          "unable to decode tracing configuration data: no kind "
              + GoQuote.quote(kind)
              + " is registered for version "
              + GoQuote.quote(version)
              + "; expected TracingConfiguration in apiserver.config.k8s.io/v1");
    }
  }

  private static int rate(@Nullable Node node) {
    if (node == null || node instanceof Node.Null) {
      return 0;
    }
    if (!(node instanceof Node.Int(long rate))) {
      throw new IllegalArgumentException(RATE + ": expected a 32-bit integer");
    }
    if (rate < 0) {
      throw invalid(RATE, Long.toString(rate), "sampling rate must be positive");
    }
    if (rate > MILLION) {
      throw invalid(
          RATE,
          Long.toString(rate),
          "sampling rate per million must be less than or equal to one million");
    }
    return (int) rate;
  }

  private static String endpoint(@Nullable Node node) {
    if (node == null || node instanceof Node.Null) {
      return DEFAULT_ENDPOINT;
    }
    if (!(node instanceof Node.Text(String endpoint))) {
      throw new IllegalArgumentException(ENDPOINT + ": expected a string");
    }
    String scheme = scheme(endpoint);
    switch (scheme) {
      case "dns", "unix" -> {}
      case "unix-abstract" ->
          throw invalid(
              ENDPOINT,
              GoQuote.quote(endpoint),
              "the JDK has no sockets in the abstract namespace");
      default ->
          throw invalid(
              ENDPOINT,
              GoQuote.quote(endpoint),
              "unsupported scheme: "
                  + scheme
                  + ".  Options are none, dns, unix, or unix-abstract.  See"
                  + " https://github.com/grpc/grpc/blob/master/doc/naming.md");
    }
    return endpoint;
  }

  private static String scheme(String endpoint) {
    try {
      String scheme = new URI(endpoint.contains("//") ? endpoint : "dns://" + endpoint).getScheme();
      return scheme == null ? "" : scheme;
    } catch (URISyntaxException e) {
      throw invalid(ENDPOINT, GoQuote.quote(endpoint), String.valueOf(e.getMessage()));
    }
  }

  private static IllegalArgumentException invalid(String field, String value, String why) {
    return new IllegalArgumentException(
        "failed to validate tracing configuration: "
            + field
            + ": Invalid value: "
            + value
            + ": "
            + why);
  }
}
