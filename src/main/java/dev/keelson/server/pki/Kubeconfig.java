package dev.keelson.server.pki;

import dev.keelson.pem.PemCertificates;
import dev.keelson.pem.PemPrivateKeys;
import dev.keelson.value.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;

/** The file that lets kubectl and other clients in, with everything embedded. */
public final class Kubeconfig {

  private Kubeconfig() {}

  /**
   * Writes the administrator's kubeconfig, readable by its owner only, unless it is there already.
   *
   * @param file where to write it
   * @param address what the server is reached by
   * @param port its port
   * @param trusted whom the client shall trust to sign the server's certificate
   * @param serving the server's certificate; if it does not stand for {@code address}, the file
   *     names the host that it stands for
   * @param admin the administrator's key and certificate
   */
  public static void write(
      Path file,
      InetAddress address,
      int port,
      X509Certificate trusted,
      X509Certificate serving,
      Identity admin) {
    String text = text(address, port, trusted, serving, "kubernetes-admin", admin);
    if (!holds(file, text)) {
      PrivateFiles.write(file, text);
    }
  }

  /** The base address of a server, for example {@code https://127.0.0.1:6443}. */
  public static String url(InetAddress address, int port) {
    return "https://" + HostPort.join(address.getHostAddress(), Integer.toString(port));
  }

  /**
   * The kubeconfig of a user.
   *
   * @param userName the name of the user in the file, a plain YAML scalar
   * @param user the key and certificate of the user
   */
  public static String text(
      InetAddress address,
      int port,
      X509Certificate trusted,
      X509Certificate serving,
      String userName,
      Identity user) {
    SubjectNames names = SubjectNames.in(serving);
    String serverName = "";
    if (!names.contains(address.getHostAddress()) && !names.dns().isEmpty()) {
      serverName =
          "    tls-server-name: "
              + names.sorted().stream().filter(names.dns()::contains).findFirst().orElseThrow()
              + "\n";
    }
    String context = userName + "@keelson";
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: keelson
      cluster:
        server: %s
    %s    certificate-authority-data: %s
    users:
    - name: %s
      user:
        client-certificate-data: %s
        client-key-data: %s
    contexts:
    - name: %s
      context:
        cluster: keelson
        user: %s
    current-context: %s
    """
        .formatted(
            url(address, port),
            serverName,
            base64(PemCertificates.text(List.of(trusted))),
            userName,
            base64(PemCertificates.text(user.chain())),
            base64(
                PemPrivateKeys.textForClients(user.key(), user.chain().getFirst().getPublicKey())),
            context,
            userName,
            context);
  }

  private static boolean holds(Path file, String text) {
    try {
      return Files.exists(file) && Files.readString(file).equals(text);
    } catch (IOException e) {
      throw new PkiException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
