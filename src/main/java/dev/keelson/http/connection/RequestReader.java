package dev.keelson.http.connection;

import dev.keelson.api.ApiException;
import dev.keelson.http.ApiRequest;
import dev.keelson.http.Query;
import dev.keelson.http.RequestContent;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.util.Attribute;
import io.netty.util.AttributeKey;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;
import io.vertx.core.net.impl.ConnectionBase;
import java.io.ByteArrayInputStream;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** Copies an HTTP request into an {@link ApiRequest}, which has no framework types. */
public final class RequestReader {

  private static final AttributeKey<List<X509Certificate>> PEER =
      AttributeKey.valueOf(RequestReader.class, "peer");

  private RequestReader() {}

  /**
   * The request without its body.
   *
   * @throws ApiException of reason BadRequest if the path or the query cannot be decoded
   */
  public static ApiRequest read(HttpServerRequest request) {
    String query = request.query();
    return new ApiRequest(
        request.method().name(),
        decodedPath(request),
        Query.parse(query == null ? "" : query),
        withHost(headers(request.headers()), request),
        RequestContent.NONE,
        peerCertificates(request),
        remote(request),
        request.uri(),
        protocol(request));
  }

  private static String decodedPath(HttpServerRequest request) {
    String path = request.path();
    if (path == null) {
      throw ApiException.badRequest("the request has no path");
    }
    return path.indexOf('%') < 0 ? path : new QueryStringDecoder(path, true).path();
  }

  /** Copies a request whose path is malformed, for the error response. */
  static ApiRequest withoutPath(HttpServerRequest request) {
    return new ApiRequest(
        request.method().name(),
        "/",
        Query.NONE,
        headers(request.headers()),
        RequestContent.NONE,
        List.of(),
        remote(request),
        request.uri(),
        protocol(request));
  }

  /** As Go's net/http names it. */
  private static String protocol(HttpServerRequest request) {
    return request.version() == HttpVersion.HTTP_2 ? "HTTP/2.0" : ApiRequest.HTTP_1;
  }

  private static String remote(HttpServerRequest request) {
    var address = request.remoteAddress();
    return address == null ? "" : address.toString();
  }

  private static Map<String, List<String>> headers(MultiMap headers) {
    Map<String, List<String>> plain = new HashMap<>();
    for (Map.Entry<String, String> header : headers) {
      plain
          .computeIfAbsent(header.getKey().toLowerCase(Locale.ROOT), name -> new ArrayList<>(1))
          .add(header.getValue());
    }
    return plain;
  }

  /**
   * HTTP/2 has {@code :authority} in place of Host, which Vert.x does not list with the headers
   * (RFC 9113, section 8.3.1).
   */
  private static Map<String, List<String>> withHost(
      Map<String, List<String>> headers, HttpServerRequest request) {
    if (!headers.containsKey("host")) {
      HostAndPort authority = request.authority();
      if (authority != null) {
        headers.put("host", List.of(authority.toString()));
      }
    }
    return headers;
  }

  /**
   * The client's certificates, which stay the same for a connection, since a second handshake is
   * refused: without any, the session's answer is an exception, with its stack trace.
   */
  private static List<X509Certificate> peerCertificates(HttpServerRequest request) {
    if (!(request.connection() instanceof ConnectionBase connection)) {
      return peerCertificates(request.sslSession());
    }
    Attribute<List<X509Certificate>> known = connection.channel().attr(PEER);
    List<X509Certificate> chain = known.get();
    if (chain == null) {
      chain = peerCertificates(request.sslSession());
      known.set(chain);
    }
    return chain;
  }

  private static List<X509Certificate> peerCertificates(@Nullable SSLSession session) {
    if (session == null) {
      return List.of();
    }
    try {
      List<X509Certificate> chain = new ArrayList<>();
      for (Certificate certificate : session.getPeerCertificates()) {
        if (certificate instanceof X509Certificate x509) {
          chain.add(parsed(x509));
        }
      }
      return List.copyOf(chain);
    } catch (SSLPeerUnverifiedException noCertificate) {
      return List.of();
    }
  }

  /** The JDK's form of a certificate: that of a native engine is parsed again by each access. */
  private static X509Certificate parsed(X509Certificate certificate) {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(certificate.getEncoded()));
    } catch (CertificateException e) {
      throw new IllegalStateException("the handshake has accepted the certificate", e);
    }
  }
}
