package dev.keelson.webhook;

import dev.keelson.value.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HexFormat;

/**
 * The URL of a webhook.
 *
 * @param shown the URL as the configuration names the server
 * @param serverName the name in the certificate of a Service's server; empty for that of the URL
 */
record Destination(URI shown, String serverName) {

  private static final String DEFAULT_PORT = ":443";

  /** Characters that a URL of the JDK does not have. */
  private static final String TO_ESCAPE = " \"<>\\^`{|}";

  /**
   * The URL of a call.
   *
   * @param query the query without its question mark
   * @throws IOException if the configuration names no server; the message is kube-apiserver's
   */
  static Destination of(ClientConfig config, String query) throws IOException {
    ServiceReference service = config.service();
    if (service != null) {
      String base = "https://" + service.authority();
      return new Destination(
          parse(base + path(service.path()) + "?" + query), service.serverName());
    }
    if (config.url().isEmpty()) {
      throw new IOException("webhook configuration must have either service or URL");
    }
    URI url = parse(config.url());
    if (!"https".equals(url.getScheme()) || url.getHost() == null) {
      throw new IOException("Unparsable URL: " + config.url());
    }
    String base = url.getScheme() + "://" + url.getRawAuthority();
    return new Destination(parse(base + path(url.getRawPath()) + "?" + query), "");
  }

  private static String path(String path) {
    return path.isEmpty() ? "/" : path.startsWith("/") ? path : "/" + path;
  }

  private static URI parse(String url) throws IOException {
    try {
      return URI.create(escaped(url)).normalize();
    } catch (IllegalArgumentException e) {
      throw new IOException("Unparsable URL: " + e.getMessage(), e);
    }
  }

  /** A URL with escapes for the characters that Go takes in a path as they are. */
  private static String escaped(String url) {
    StringBuilder text = new StringBuilder(url.length());
    for (int i = 0; i < url.length(); i++) {
      char c = url.charAt(i);
      if (TO_ESCAPE.indexOf(c) >= 0) {
        text.append('%').append(HexFormat.of().withUpperCase().toHexDigits((byte) c));
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }

  /** The host and port that the configuration names. */
  String authority() {
    return shown.getRawAuthority();
  }

  /** The host and port, also where the configuration leaves out the port. */
  String target() {
    return shown.getPort() < 0 ? authority() + DEFAULT_PORT : authority();
  }

  /**
   * The URL to connect to: for a Service with an IP address as its host, so that the server name of
   * the TLS handshake is {@link #serverName}.
   */
  URI resolve(ServiceReference service, ServiceResolver services) throws IOException {
    InetSocketAddress address =
        services.resolve(service.namespace(), service.name(), service.port());
    String ip = InetAddress.getByName(address.getHostString()).getHostAddress();
    return URI.create(
        "https://"
            + HostPort.join(ip, Integer.toString(address.getPort()))
            + shown.getRawPath()
            + "?"
            + shown.getRawQuery());
  }
}
