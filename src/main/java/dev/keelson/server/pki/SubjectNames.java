package dev.keelson.server.pki;

import dev.keelson.value.IpAddress;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import javax.naming.NamingException;
import javax.naming.directory.Attribute;
import javax.naming.ldap.LdapName;
import javax.naming.ldap.Rdn;

/**
 * The names a serving certificate stands for.
 *
 * @param dns DNS names, in lower case
 * @param addresses IP addresses, as the JDK writes them
 */
public record SubjectNames(Set<String> dns, Set<String> addresses) {

  private static final int DNS = 2;
  private static final int ADDRESS = 7;

  public SubjectNames {
    dns = Set.copyOf(dns);
    addresses = Set.copyOf(addresses);
  }

  /** Sorts texts into addresses and names. */
  public static SubjectNames of(Collection<String> texts) {
    Set<String> dns = new LinkedHashSet<>();
    Set<String> addresses = new LinkedHashSet<>();
    for (String text : texts) {
      IpAddress.tryParse(text)
          .ifPresentOrElse(
              address -> addresses.add(address.address().getHostAddress()),
              () -> dns.add(text.toLowerCase(Locale.ROOT)));
    }
    return new SubjectNames(dns, addresses);
  }

  /** The names in {@code certificate}. */
  public static SubjectNames in(X509Certificate certificate) {
    Collection<List<?>> names;
    try {
      names = certificate.getSubjectAlternativeNames();
    } catch (CertificateParsingException e) {
      throw new PkiException("the names of a certificate cannot be read", e);
    }
    if (names == null) {
      return new SubjectNames(Set.of(), Set.of());
    }
    Set<String> texts = new LinkedHashSet<>();
    for (List<?> name : names) {
      if (name.get(0) instanceof Integer kind && (kind == DNS || kind == ADDRESS)) {
        texts.add(String.valueOf(name.get(1)));
      }
    }
    return of(texts);
  }

  /** The CommonName of a certificate's subject, the last if there are several. */
  public static Optional<String> commonName(X509Certificate certificate) {
    try {
      // in the order of the certificate
      List<Rdn> rdns = new LdapName(certificate.getSubjectX500Principal().getName()).getRdns();
      for (Rdn rdn : rdns.reversed()) {
        Attribute name = rdn.toAttributes().get("CN");
        if (name != null && name.get() instanceof String text) {
          return Optional.of(text);
        }
      }
      return Optional.empty();
    } catch (NamingException e) {
      throw new PkiException("the subject of a certificate cannot be read", e);
    }
  }

  /** Whether all names of {@code other} are among these. */
  boolean contains(SubjectNames other) {
    return dns.containsAll(other.dns) && addresses.containsAll(other.addresses);
  }

  /** Whether {@code host}, a name or an address, is among these. */
  boolean contains(String host) {
    return contains(of(List.of(host)));
  }

  /** All names in a fixed order. */
  List<String> sorted() {
    Set<String> all = new TreeSet<>(dns);
    all.addAll(addresses);
    return List.copyOf(all);
  }
}
