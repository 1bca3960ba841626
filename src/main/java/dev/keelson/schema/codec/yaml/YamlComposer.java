package dev.keelson.schema.codec.yaml;

import dev.keelson.schema.codec.tree.DecodeException;
import dev.keelson.schema.codec.tree.Tokens;
import dev.keelson.schema.codec.tree.TreeBudget;
import dev.keelson.schema.codec.yaml.YamlPart.Alias;
import dev.keelson.schema.codec.yaml.YamlPart.Mapping;
import dev.keelson.schema.codec.yaml.YamlPart.Scalar;
import dev.keelson.schema.codec.yaml.YamlPart.Sequence;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/**
 * Reads the one document of a YAML body into its parts, by the events of snakeyaml-engine. Used
 * once, by one thread.
 *
 * <p>The engine's own composer is not used: it resolves scalars by YAML 1.2 and shares what aliases
 * name, so that neither Kubernetes' types nor the size of what is behind an alias could be told.
 */
final class YamlComposer {

  private static final char BYTE_ORDER_MARK = '\uFEFF';

  private final ParserImpl events;
  private final Map<String, YamlPart> anchors = new HashMap<>();
  private final TreeBudget budget;
  private int depth;

  private YamlComposer(ParserImpl events, TreeBudget budget) {
    this.events = events;
    this.budget = budget;
  }

  /**
   * The document.
   *
   * @return null if the body holds nothing but white space and comments
   * @throws DecodeException if it is no YAML, nests too deep, is beyond the budget, or holds a
   *     second document
   */
  static @Nullable YamlPart compose(byte[] yaml, TreeBudget budget) {
    LoadSettings settings =
        LoadSettings.builder().setLabel("body").setCodePointLimit(Integer.MAX_VALUE).build();
    try {
      StreamReader reader = new StreamReader(settings, YamlTabs.replace(decode(yaml)));
      return new YamlComposer(new ParserImpl(settings, reader), budget).stream();
    } catch (MarkedYamlEngineException e) {
      throw YamlErrors.syntax(
          e.getProblemMark().map(mark -> "line " + (mark.getLine() + 1) + ": ").orElse("")
              + e.getProblem());
    } catch (ReaderException e) {
      throw YamlErrors.syntax("control characters are not allowed");
    } catch (YamlEngineException e) {
      throw YamlErrors.syntax(String.valueOf(e.getMessage()));
    } catch (IllegalArgumentException e) {
      // eight hexadecimal digits of an escape may be beyond an int, which the engine does not
      // expect
      throw YamlErrors.syntax("found invalid Unicode character escape code");
    }
  }

  /** The text behind a byte order mark of UTF-8 or UTF-16, or of UTF-8 without one. */
  private static String decode(byte[] yaml) {
    int first = yaml.length > 1 ? (yaml[0] & 0xFF) << 8 | (yaml[1] & 0xFF) : 0;
    Charset charset =
        switch (first) {
          case 0xFEFF -> StandardCharsets.UTF_16BE;
          case 0xFFFE -> StandardCharsets.UTF_16LE;
          default -> StandardCharsets.UTF_8;
        };
    try {
      String text = charset.newDecoder().decode(ByteBuffer.wrap(yaml)).toString();
      return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
    } catch (CharacterCodingException e) {
      throw YamlErrors.syntax("the text is not valid " + charset.name());
    }
  }

  private @Nullable YamlPart stream() {
    YamlPart document = null;
    boolean first = true;
    while (events.hasNext()) {
      Event event = events.next();
      if (event.getEventId() != Event.ID.DocumentStart) {
        continue;
      }
      YamlPart part = part(events.next());
      if (first) {
        document = part;
        first = false;
      } else if (!nothing(part)) {
        throw YamlErrors.syntax(
            "line " + part.line() + ": a second document begins here; send one object a request");
      }
    }
    return document;
  }

  /** Whether a document is empty, as between two {@code ---} or behind the last one. */
  private static boolean nothing(YamlPart part) {
    return part instanceof Scalar scalar && scalar.plain() && scalar.text().isEmpty();
  }

  private YamlPart part(Event event) {
    return switch (event) {
      case ScalarEvent scalar ->
          named(
              scalar,
              new Scalar(
                  scalar.getValue(), scalar.getTag().orElse(""), scalar.isPlain(), line(scalar)));
      case AliasEvent alias -> {
        String name = alias.getAlias().getValue();
        YamlPart target = anchors.get(name);
        if (target == null) {
          throw YamlErrors.syntax("unknown anchor '" + name + "' referenced");
        }
        yield new Alias(name, target, line(alias));
      }
      case SequenceStartEvent start -> {
        Sequence sequence = new Sequence(new ArrayList<>(), line(start));
        named(start, sequence);
        children(sequence.parts(), Event.ID.SequenceEnd);
        yield sequence;
      }
      case MappingStartEvent start -> {
        Mapping mapping = new Mapping(new ArrayList<>(), line(start));
        named(start, mapping);
        children(mapping.parts(), Event.ID.MappingEnd);
        yield mapping;
      }
      default -> throw new IllegalStateException("no node begins with " + event);
    };
  }

  private void children(List<YamlPart> parts, Event.ID end) {
    budget.container();
    if (++depth > Tokens.MAX_DEPTH) {
      throw YamlErrors.tooDeep();
    }
    for (Event event = events.next(); event.getEventId() != end; event = events.next()) {
      budget.scalar();
      parts.add(part(event));
    }
    depth--;
  }

  private YamlPart named(NodeEvent event, YamlPart part) {
    Optional<Anchor> anchor = event.getAnchor();
    if (anchor.isPresent()) {
      anchors.put(anchor.get().getValue(), part);
    }
    return part;
  }

  private static int line(Event event) {
    Optional<Mark> mark = event.getStartMark();
    return mark.isPresent() ? mark.get().getLine() + 1 : 0;
  }
}
