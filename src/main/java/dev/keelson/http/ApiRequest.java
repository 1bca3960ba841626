package dev.keelson.http;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * An HTTP request without framework types. Its body may still be on its way.
 *
 * @param method the HTTP method, upper case
 * @param path the decoded path
 * @param query the parameters
 * @param headers every value by lower-case name
 * @param content the body
 * @param peerCertificates the certificate chain of the client from the TLS handshake, leaf first;
 *     not verified
 * @param remoteAddress the address of the client's end of the connection
 * @param uri the path and query as sent
 * @param protocol {@code HTTP/1.1} or {@code HTTP/2.0}
 */
public record ApiRequest(
    String method,
    String path,
    Query query,
    Map<String, List<String>> headers,
    RequestContent content,
    List<X509Certificate> peerCertificates,
    String remoteAddress,
    String uri,
    String protocol) {

  /** The protocol of a request over HTTP/1.1, or of none over HTTP. */
  public static final String HTTP_1 = "HTTP/1.1";

  public ApiRequest {
    headers = Map.copyOf(headers);
    peerCertificates = List.copyOf(peerCertificates);
  }

  /** Creates a request that has been read, whose URI is its path. */
  public ApiRequest(
      String method,
      String path,
      Query query,
      Map<String, List<String>> headers,
      byte[] body,
      List<X509Certificate> peerCertificates,
      String remoteAddress) {
    this(
        method,
        path,
        query,
        headers,
        RequestContent.of(body),
        peerCertificates,
        remoteAddress,
        path,
        HTTP_1);
  }

  /** Returns this request with other query parameters. */
  public ApiRequest with(Query other) {
    return new ApiRequest(
        method, path, other, headers, content, peerCertificates, remoteAddress, uri, protocol);
  }

  /** Returns this request with another method. */
  public ApiRequest withMethod(String other) {
    return new ApiRequest(
        other, path, query, headers, content, peerCertificates, remoteAddress, uri, protocol);
  }

  /**
   * Returns this request with other headers.
   *
   * @param other every value by lower-case name
   */
  public ApiRequest withHeaders(Map<String, List<String>> other) {
    return new ApiRequest(
        method, path, query, other, content, peerCertificates, remoteAddress, uri, protocol);
  }

  /** Returns this request with a body. */
  public ApiRequest with(RequestContent other) {
    return new ApiRequest(
        method, path, query, headers, other, peerCertificates, remoteAddress, uri, protocol);
  }

  /**
   * The body, empty if there was none; waits until it is complete. Must not be modified.
   *
   * @throws dev.keelson.api.ApiException as {@link RequestContent#bytes} does
   */
  public byte[] body() {
    return content.bytes();
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
