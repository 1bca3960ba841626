package dev.keelson.http.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.keelson.http.relay.Target;
import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Links in HTML, by the rows of apimachinery's transport_test.go and what HTML has besides. */
class HtmlLinksTest {

  private static final Links LINKS =
      new Links("/proxy/node/node1:10250", Target.of("mynode.com", 10250, false), "10.0.0.1:8001");

  /** The page in parts of so many bytes. */
  private static String rewritten(String page, int part) {
    HtmlLinks html = new HtmlLinks(LINKS::rewritten);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] bytes = page.getBytes(UTF_8);
    for (int at = 0; at < bytes.length; at += part) {
      out.writeBytes(html.rewritten(bytes, at, Math.min(part, bytes.length - at)));
    }
    out.writeBytes(html.end());
    return out.toString(UTF_8);
  }

  private static String rewritten(String page) {
    String whole = rewritten(page, Integer.MAX_VALUE / 2);
    for (int part : new int[] {1, 2, 3, 7}) {
      assertThat(rewritten(page, part)).isEqualTo(whole);
    }
    return whole;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '\u0001',
      value = {
        "<pre><a href=\"kubelet.log\">l</a><a href=\"/google.log\">g</a></pre>"
            + "~<pre><a href=\"kubelet.log\">l</a><a href=\"P/google.log\">g</a></pre>",
        "<html><header></header><body><a href=\"/google.log\">g</a></body></html>"
            + "~<html><header></header><body><a href=\"P/google.log\">g</a></body></html>",
        "<a href=\"/google.log/\">~<a href=\"P/google.log/\">",
        "<img src=\"kubernetes.jpg\"/><img src=\"/kubernetes_abs.jpg\"/>"
            + "~<img src=\"kubernetes.jpg\"/><img src=\"P/kubernetes_abs.jpg\"/>",
        "<script src=\"http://google.com/kubernetes.js\"/>"
            + "~<script src=\"http://google.com/kubernetes.js\"/>",
        "<script src=\"http://mynode.com/kubernetes.js\"/>~<script src=\"P/kubernetes.js\"/>",
        "<script src=\"https://mynode.com:10250/k.js\"/>~<script src=\"P/k.js\"/>",
        "<a href=\"http://10.0.0.1:8001/x\">~<a href=\"http://10.0.0.1:8001P/x\">",
        "<a href=\"P/google.log\">~<a href=\"P/google.log\">",
        "<a href=\"http://mynode.com/proxy/node/node1:10250/google.log\">~<a"
            + " href=\"P/google.log\">",
        "<html></html>~<html></html>",
        // HTML
        "<A CLASS=x HREF='/a' href=/b>~<A CLASS=x HREF='P/a' href=\"P/b\">",
        "<a href = \"/a\" data-href=\"/b\" title='href=\"/c\"'>"
            + "~<a href = \"P/a\" data-href=\"/b\" title='href=\"/c\"'>",
        "<a title=\">\" href=\"/a\">~<a title=\">\" href=\"P/a\">",
        "<a href=/a/>~<a href=\"P/a/\">",
        "<a href>x</a href=\"/a\"><br href=\"/b\">~<a href>x</a href=\"/a\"><br href=\"/b\">",
        "<a href=\"\">~<a href=\"\">",
        "<a href=\"/x?a=1&amp;b=%20&c=2#d\">~<a href=\"P/x?a=1&amp;b=%20&amp;c=2#d\">",
        "<a href=\"&#47;x&#x22;\">~<a href=\"P/x%22\">",
        "<a href=\"/&eacute;\">~<a href=\"/&eacute;\">",
        "<a href=\"/a b/\u00e9\">~<a href=\"P/a%20b/%c3%a9\">",
        "<a href=\"//mynode.com/x\">~<a href=\"P/x\">",
        "<a href=\"//other/x\">~<a href=\"//other/x\">",
        "<a href=\"javascript:go('/x')\">~<a href=\"javascript:go('/x')\">",
        "<a href=\"/%zz\">~<a href=\"/%zz\">",
        "<form action=\"/a\"><input formaction=\"/b\" usemap=\"/c\" value=\"/d\">"
            + "~<form action=\"P/a\"><input formaction=\"P/b\" usemap=\"P/c\" value=\"/d\">",
        "<object classid=/a codebase=/b data=/c usemap=/d name=/e>"
            + "~<object classid=\"P/a\" codebase=\"P/b\" data=\"P/c\" usemap=\"P/d\" name=/e>",
        "<!-- <a href=\"/a\"> --><a href=\"/b\">~<!-- <a href=\"/a\"> --><a href=\"P/b\">",
        "<!--><a href=\"/b\">~<!--><a href=\"P/b\">",
        "<!-- a -- > --!><a href=\"/b\">~<!-- a -- > --!><a href=\"P/b\">",
        "<!doctype html><a href=\"/b\"><?x <a href=\"/c\"?>"
            + "~<!doctype html><a href=\"P/b\"><?x <a href=\"/c\"?>",
        "</ a='><b'><a href=/c>~</ a='><b'><a href=\"P/c\">",
        "<script>x = '<a href=\"/a\">' </scripts> </SCRIPT ><a href=\"/b\">"
            + "~<script>x = '<a href=\"/a\">' </scripts> </SCRIPT ><a href=\"P/b\">",
        "<textarea><a href=\"/a\"></textarea><a href=\"/b\">"
            + "~<textarea><a href=\"/a\"></textarea><a href=\"P/b\">",
        "<plaintext></plaintext><a href=\"/b\">~<plaintext></plaintext><a href=\"/b\">",
        "a < b <3 <<a href=\"/b\">~a < b <3 <<a href=\"P/b\">",
        "<a href=\"/b~<a href=\"/b",
        "x <~x <",
      })
  void transportTable(String page, String expected) {
    String proxy = "/proxy/node/node1:10250";

    assertThat(rewritten(page.replace("\"P/", "\"" + proxy + "/")))
        .isEqualTo(
            expected
                .replace("\"P/", "\"" + proxy + "/")
                .replace("'P/", "'" + proxy + "/")
                .replace("8001P/", "8001" + proxy + "/"));
  }

  @Test
  void tagThatIsTooLong_staysAsItIs() {
    String page = "<a title=\"" + "x".repeat(70_000) + ">\" href=\"/a\"><a href=\"/b\">";

    assertThat(rewritten(page, 4096))
        .isEqualTo(page.replace("\"/b\"", "\"/proxy/node/node1:10250/b\""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "applet", "q", "video", "unknown"})
  void textWithoutTags_isPassedAtOnce(String element) {
    HtmlLinks html = new HtmlLinks(url -> "changed");

    assertThat(new String(html.rewritten("begin".getBytes(UTF_8), 0, 5), UTF_8)).isEqualTo("begin");
    assertThat(html.rewritten(("<" + element).getBytes(UTF_8), 0, 2)).isEmpty();
  }
}
