package dev.keelson.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;

/**
 * A proxy that presents a user's certificate to the server for every connection, in place of a
 * browser that has the certificate: browsers take certificates from stores of the machine only.
 * Their side is TLS as well, with a certificate that nobody trusts.
 */
public final class CertificateProxy implements AutoCloseable {

  private static final char[] NO_PASSWORD = new char[0];

  private final Kubeconfig user;
  private final SSLServerSocket listener;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  private CertificateProxy(Kubeconfig user, SSLServerSocket listener) {
    this.user = user;
    this.listener = listener;
  }

  /** Listens on a free port of the loopback address. */
  public static CertificateProxy of(Kubeconfig user) {
    try {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(null, null);
      keys.setKeyEntry("own", user.key(), NO_PASSWORD, new X509Certificate[] {user.certificate()});
      KeyManagerFactory managers =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      managers.init(keys, NO_PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(managers.getKeyManagers(), null, null);
      SSLServerSocket listener =
          (SSLServerSocket)
              context
                  .getServerSocketFactory()
                  .createServerSocket(0, 100, InetAddress.getLoopbackAddress());
      CertificateProxy proxy = new CertificateProxy(user, listener);
      Thread.ofVirtual().name("certificate-proxy").start(proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Where browsers find it. */
  public URI address() {
    return URI.create("https://127.0.0.1:" + listener.getLocalPort());
  }

  private void accept() {
    SSLContext toServer = user.asUser();
    try {
      while (true) {
        Socket client = listener.accept();
        Socket server =
            toServer
                .getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), user.server().getPort());
        sockets.add(client);
        sockets.add(server);
        pump(client, server);
        pump(server, client);
      }
    } catch (IOException e) {
      // the listener was closed
      closeAll();
    }
  }

  private void pump(Socket from, Socket to) {
    Thread unused =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try (from;
                      to) {
                    long unusedCount = from.getInputStream().transferTo(to.getOutputStream());
                  } catch (IOException e) {
                    // either side has closed the connection, which closes the other
                  } finally {
                    sockets.remove(from);
                    sockets.remove(to);
                  }
                });
  }

  private void closeAll() {
    for (Socket socket : sockets) {
      try {
        socket.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    closeAll();
  }
}
