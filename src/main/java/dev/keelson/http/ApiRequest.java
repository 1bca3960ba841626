package dev.keelson.http;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A request as it came in, complete, without a framework type.
 *
 * @param method the HTTP method, upper case
 * @param path the decoded path
 * @param query the parameters
 * @param headers every value by lower-case name
 * @param body the body, empty if there was none; nobody changes it
 * @param peerCertificates the certificates that the client showed in the TLS handshake, its own
 *     first; not verified
 * @param remoteAddress the address of the client's end of the connection
 * @param uri path and query as they were sent
 */
public record ApiRequest(
    String method,
    String path,
    Query query,
    Map<String, List<String>> headers,
    byte[] body,
    List<X509Certificate> peerCertificates,
    String remoteAddress,
    String uri) {

  public ApiRequest {
    headers = Map.copyOf(headers);
    peerCertificates = List.copyOf(peerCertificates);
  }

  /** A request whose path needs no escapes, and whose query does not matter. */
  public ApiRequest(
      String method,
      String path,
      Query query,
      Map<String, List<String>> headers,
      byte[] body,
      List<X509Certificate> peerCertificates,
      String remoteAddress) {
    this(method, path, query, headers, body, peerCertificates, remoteAddress, path);
  }

  /** The same with other parameters. */
  public ApiRequest with(Query other) {
    return new ApiRequest(method, path, other, headers, body, peerCertificates, remoteAddress, uri);
  }

  /** The same with another method. */
  public ApiRequest withMethod(String other) {
    return new ApiRequest(other, path, query, headers, body, peerCertificates, remoteAddress, uri);
  }

  /** The same with a body. */
  public ApiRequest withBody(byte[] other) {
    return new ApiRequest(
        method, path, query, headers, other, peerCertificates, remoteAddress, uri);
  }

  /** Every value of the header {@code name}, in any case. */
  public List<String> headerValues(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
  }

  /** The first value of the header, or empty. */
  public String header(String name) {
    List<String> values = headerValues(name);
    return values.isEmpty() ? "" : values.getFirst();
  }
}
