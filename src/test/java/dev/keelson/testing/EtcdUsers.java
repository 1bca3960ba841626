package dev.keelson.testing;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.keelson.testing.TestCertificates.KeyForm;
import dev.keelson.testing.TestCertificates.Pair;
import io.etcd.jetcd.Auth;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import io.etcd.jetcd.auth.Permission;
import io.grpc.netty.GrpcSslContexts;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import javax.net.ssl.SSLException;

/** The users of an etcd that knows them by their certificates; this one is its root. */
public final class EtcdUsers implements AutoCloseable {

  private static final ByteSequence PASSWORD = bytes("x");

  private final TestCertificates certificates;
  private final Client client;
  private final Auth auth;

  private EtcdUsers(EtcdProcess etcd, TestCertificates certificates) throws SSLException {
    this.certificates = certificates;
    Pair root = certificates.issue("root", KeyForm.PKCS8_EC);
    client =
        Client.builder()
            .endpoints(etcd.endpoint())
            .sslContext(
                GrpcSslContexts.configure(SslContextBuilder.forClient(), SslProvider.JDK)
                    .trustManager(certificates.authority().toFile())
                    .keyManager(root.certificate().toFile(), root.key().toFile())
                    .build())
            .build();
    auth = client.getAuthClient();
  }

  /** Gives root its role, and lets the etcd ask for rights from now on. */
  public static EtcdUsers of(EtcdProcess etcd, TestCertificates certificates) throws Exception {
    EtcdUsers users = new EtcdUsers(etcd, certificates);
    ByteSequence root = bytes("root");
    users.auth.userAdd(root, PASSWORD).get();
    users.auth.userGrantRole(root, root).get();
    users.auth.authEnable().get();
    return users;
  }

  /**
   * Adds a user without rights.
   *
   * @return its certificate
   */
  public Pair add(String name) throws Exception {
    auth.userAdd(bytes(name), PASSWORD).get();
    auth.roleAdd(bytes(name)).get();
    auth.userGrantRole(bytes(name), bytes(name)).get();
    return certificates.issue(name, KeyForm.PKCS8_EC);
  }

  /** Lets a user read and write the keys from {@code from} to before {@code to}. */
  public void grant(String name, String from, String to) throws Exception {
    auth.roleGrantPermission(bytes(name), bytes(from), bytes(to), Permission.Type.READWRITE).get();
  }

  /** The keys and values, with every right. */
  public KV keys() {
    return client.getKVClient();
  }

  /** A text of ASCII. */
  public static ByteSequence bytes(String text) {
    return ByteSequence.from(text, US_ASCII);
  }

  @Override
  public void close() {
    client.close();
  }
}
