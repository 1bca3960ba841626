package dev.keelson.config.option;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What responses tell clients and browsers of the server.
 *
 * @param corsOrigins regular expressions of the origins that may use the server from a browser;
 *     empty disables CORS
 * @param strictTransport the value of Strict-Transport-Security; empty for no header
 * @param externalHost the host name, possibly with a port, in documents that name this server; null
 *     for its address
 * @param http2 whether HTTP/2 is served
 * @param namedGroups the TLS groups (RFC 8446, section 4.2.7) as JSSE names them; empty for the
 *     JDK's defaults
 * @param disabledMetrics names of metrics that are not shown
 * @param metricLabels the values that labels of metrics may have, with commas between them, by the
 *     name of the metric, a comma and the name of the label
 * @param metricLabelsFile more of these as a YAML object; null without it
 * @param console whether the console is served
 */
public record WebOptions(
    List<String> corsOrigins,
    String strictTransport,
    @Nullable String externalHost,
    boolean http2,
    List<String> namedGroups,
    List<String> disabledMetrics,
    Map<String, String> metricLabels,
    @Nullable Path metricLabelsFile,
    boolean console) {
  public WebOptions {
    corsOrigins = List.copyOf(corsOrigins);
    namedGroups = List.copyOf(namedGroups);
    disabledMetrics = List.copyOf(disabledMetrics);
    metricLabels = Map.copyOf(metricLabels);
  }
}
