package dev.keelson.http.page;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites the attributes of a page that are URLs, and leaves every other byte as it is (source:
 * apimachinery's {@code rewriteHTML}; the attributes are those of its table).
 *
 * <p>The page comes in parts that may end anywhere. A start tag is kept until its end is there, up
 * to 64 KiB; everything else is passed on at once. What a tag, a comment and raw text are is
 * decided as browsers decide it (HTML, section 13.2.5), but for the escaped states of scripts. The
 * bytes are taken for UTF-8, as there.
 */
final class HtmlLinks {

  private static final Map<String, Set<String>> LINKS =
      Map.ofEntries(
          Map.entry("a", Set.of("href")),
          Map.entry("applet", Set.of("codebase")),
          Map.entry("area", Set.of("href")),
          Map.entry("audio", Set.of("src")),
          Map.entry("base", Set.of("href")),
          Map.entry("blockquote", Set.of("cite")),
          Map.entry("body", Set.of("background")),
          Map.entry("button", Set.of("formaction")),
          Map.entry("command", Set.of("icon")),
          Map.entry("del", Set.of("cite")),
          Map.entry("embed", Set.of("src")),
          Map.entry("form", Set.of("action")),
          Map.entry("frame", Set.of("longdesc", "src")),
          Map.entry("head", Set.of("profile")),
          Map.entry("html", Set.of("manifest")),
          Map.entry("iframe", Set.of("longdesc", "src")),
          Map.entry("img", Set.of("longdesc", "src", "usemap")),
          Map.entry("input", Set.of("formaction", "src", "usemap")),
          Map.entry("ins", Set.of("cite")),
          Map.entry("link", Set.of("href")),
          Map.entry("object", Set.of("classid", "codebase", "data", "usemap")),
          Map.entry("q", Set.of("cite")),
          Map.entry("script", Set.of("src")),
          Map.entry("source", Set.of("src")),
          Map.entry("video", Set.of("poster", "src")));

  /** Elements whose content is text up to their end tag. */
  private static final Set<String> RAW =
      Set.of(
          "iframe",
          "noembed",
          "noframes",
          "plaintext",
          "script",
          "style",
          "textarea",
          "title",
          "xmp");

  /** What no byte continues. */
  private static final String ENDLESS = "<\u0100";

  private static final int LONGEST_TAG = 64 * 1024;
  private static final int LONGEST_NAME = 16;

  private enum State {
    TEXT,
    /** After {@code <}. */
    OPEN,
    /** In the name of a tag. */
    NAME,
    /** Between attributes. */
    GAP,
    KEY,
    AFTER_KEY,
    BEFORE_VALUE,
    QUOTED,
    BARE,
    /** After {@code <!}. */
    MARKUP,
    COMMENT,
    /** A declaration, or what browsers take for a comment. */
    DECLARATION,
    RAW_TEXT
  }

  /** A value in the tag. */
  private record Value(String key, int begin, int end, boolean quoted) {}

  private final UnaryOperator<String> rewrite;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream tag = new ByteArrayOutputStream();
  private final StringBuilder name = new StringBuilder();
  private final StringBuilder key = new StringBuilder();
  private final List<Value> values = new ArrayList<>();
  private State state = State.TEXT;

  /** Whether the tag is kept: it begins an element, and is not too long. */
  private boolean kept;

  private boolean ends;
  private byte quote;
  private int valueBegin;
  private int dashes;
  private boolean bang;

  /** In raw text, what is missing of its end tag is behind so many letters of it. */
  private int matched;

  private String raw = "";

  HtmlLinks(UnaryOperator<String> rewrite) {
    this.rewrite = rewrite;
  }

  /** The next part of the page, as far as it can be told already. */
  byte[] rewritten(byte[] part, int offset, int length) {
    for (int i = offset; i < offset + length; i++) {
      take(part[i]);
    }
    return drained();
  }

  /** The rest, when the page is over. */
  byte[] end() {
    if (state == State.OPEN) {
      out.write('<');
    }
    out.writeBytes(tag.toByteArray());
    tag.reset();
    return drained();
  }

  private byte[] drained() {
    byte[] bytes = out.toByteArray();
    out.reset();
    return bytes;
  }

  private void take(byte next) {
    switch (state) {
      case TEXT -> {
        if (next == '<') {
          state = State.OPEN;
        } else {
          out.write(next);
        }
      }
      case OPEN -> open(next);
      case MARKUP, COMMENT, DECLARATION -> markup(next);
      case RAW_TEXT -> rawText(next);
      default -> inTag(next);
    }
  }

  private void open(byte next) {
    if (isLetter(next)) {
      begin(/* ending= */ false);
      inTag(next);
    } else if (next == '/') {
      // an end tag may have attributes, too, though nobody reads them
      begin(/* ending= */ true);
      keep(next);
    } else {
      out.write('<');
      state = State.TEXT;
      if (next == '!') {
        out.write(next);
        state = State.MARKUP;
        dashes = 0;
      } else if (next == '?') {
        out.write(next);
        state = State.DECLARATION;
      } else {
        take(next);
      }
    }
  }

  private void begin(boolean ending) {
    ends = ending;
    kept = !ending;
    name.setLength(0);
    key.setLength(0);
    values.clear();
    state = State.NAME;
    keep((byte) '<');
  }

  /** Writes a byte of a tag to where its bytes go. */
  private void keep(byte next) {
    if (kept && tag.size() >= LONGEST_TAG) {
      kept = false;
      out.writeBytes(tag.toByteArray());
      tag.reset();
      values.clear();
    }
    (kept ? tag : out).write(next);
  }

  private void inTag(byte next) {
    int position = tag.size();
    boolean space = isSpace(next);
    State before = state;
    keep(next);
    if (before == State.QUOTED) {
      if (next == quote) {
        value(position, /* quoted= */ true);
        state = State.GAP;
      }
      return;
    }
    if (next == '>') {
      if (before == State.BARE) {
        value(position, /* quoted= */ false);
      }
      finish();
      return;
    }
    switch (before) {
      case NAME -> {
        if (ends && name.isEmpty() && !isLetter(next)) {
          state = State.DECLARATION;
        } else if (space || (next == '/' && !name.isEmpty())) {
          state = State.GAP;
        } else if (name.length() < LONGEST_NAME) {
          name.append((char) (next & 0xff));
        }
      }
      case GAP, AFTER_KEY -> {
        if (before == State.AFTER_KEY && next == '=') {
          state = State.BEFORE_VALUE;
        } else if (next == '/') {
          state = State.GAP;
        } else if (!space) {
          key.setLength(0);
          key.append((char) (next & 0xff));
          state = State.KEY;
        }
      }
      case KEY -> {
        if (space) {
          state = State.AFTER_KEY;
        } else if (next == '/') {
          state = State.GAP;
        } else if (next == '=') {
          state = State.BEFORE_VALUE;
        } else if (key.length() < LONGEST_NAME) {
          key.append((char) (next & 0xff));
        }
      }
      case BEFORE_VALUE -> {
        if (next == '"' || next == '\'') {
          quote = next;
          valueBegin = position + 1;
          state = State.QUOTED;
        } else if (!space) {
          valueBegin = position;
          state = State.BARE;
        }
      }
      case BARE -> {
        if (space) {
          value(position, /* quoted= */ false);
          state = State.GAP;
        }
      }
      default -> throw new IllegalStateException("no state of a tag: " + before);
    }
  }

  private void value(int end, boolean quoted) {
    if (kept) {
      values.add(new Value(lower(key), valueBegin, end, quoted));
    }
  }

  private void finish() {
    String element = lower(name);
    if (kept) {
      writeTag(tag.toByteArray(), LINKS.getOrDefault(element, Set.of()));
      tag.reset();
    }
    boolean rawText = !ends && RAW.contains(element);
    state = rawText ? State.RAW_TEXT : State.TEXT;
    raw = element.equals("plaintext") ? ENDLESS : "</" + element;
    matched = 0;
  }

  private void writeTag(byte[] bytes, Set<String> links) {
    int written = 0;
    for (Value value : values) {
      @Nullable String changed = links.contains(value.key()) ? changed(bytes, value) : null;
      if (changed != null) {
        out.write(bytes, written, value.begin() - written);
        out.writeBytes(
            (value.quoted() ? changed : '"' + changed + '"').getBytes(StandardCharsets.UTF_8));
        written = value.end();
      }
    }
    out.write(bytes, written, bytes.length - written);
  }

  /** What is to stand for a value; null if the value may stay. */
  private @Nullable String changed(byte[] bytes, Value value) {
    String url =
        CharacterReferences.resolved(
            new String(bytes, value.begin(), value.end() - value.begin(), StandardCharsets.UTF_8));
    if (url == null) {
      return null;
    }
    String now = rewrite.apply(url);
    return now.equals(url) ? null : CharacterReferences.escaped(now);
  }

  private void markup(byte next) {
    out.write(next);
    if (state == State.MARKUP) {
      dashes = next == '-' ? dashes + 1 : 0;
      if (next == '>') {
        state = State.TEXT;
      } else if (next != '-') {
        state = State.DECLARATION;
      } else if (dashes == 2) {
        bang = false;
        state = State.COMMENT;
      }
    } else if (state == State.DECLARATION) {
      state = next == '>' ? State.TEXT : state;
    } else if (next == '>' && (dashes >= 2 || bang)) {
      state = State.TEXT;
    } else {
      bang = next == '!' && dashes >= 2;
      dashes = next == '-' ? dashes + 1 : 0;
    }
  }

  private void rawText(byte next) {
    if (matched == raw.length() && (isSpace(next) || next == '/' || next == '>')) {
      // the beginning of the end tag is written already
      ends = true;
      kept = false;
      state = State.GAP;
      inTag(next);
      return;
    }
    out.write(next);
    char letter = Character.toLowerCase((char) (next & 0xff));
    if (matched < raw.length() && letter == raw.charAt(matched)) {
      matched++;
    } else {
      matched = next == '<' ? 1 : 0;
    }
  }

  private static boolean isLetter(byte next) {
    return (next >= 'a' && next <= 'z') || (next >= 'A' && next <= 'Z');
  }

  private static boolean isSpace(byte next) {
    return next == ' ' || next == '\n' || next == '\r' || next == '\t' || next == '\f';
  }

  private static String lower(CharSequence text) {
    return text.toString().toLowerCase(Locale.ROOT);
  }
}
