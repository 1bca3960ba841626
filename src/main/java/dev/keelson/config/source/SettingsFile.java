package dev.keelson.config.source;

import dev.keelson.config.flag.Flag;
import dev.keelson.config.flag.FlagException;
import dev.keelson.config.flag.Suggestion;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.FailsafeSchema;

/**
 * Reads settings from a flat file whose keys are flag names: Java properties if its name ends in
 * {@code .properties}, else YAML (which includes JSON).
 */
public final class SettingsFile {

  /** The flag that names the file. */
  public static final String CONFIG = "config";

  private final Path file;
  private final Set<String> names;

  private SettingsFile(Path file, Set<String> names) {
    this.file = file;
    this.names = names;
  }

  /**
   * Returns the settings of {@code file} by flag.
   *
   * @throws FlagException if the file cannot be read or has an unknown key
   */
  public static Map<String, List<String>> read(Path file, List<Flag<?>> flags) {
    Set<String> names = new TreeSet<>();
    flags.forEach(flag -> names.add(flag.name()));
    // a file that names another file would make the order of sources unclear
    names.remove(CONFIG);
    SettingsFile reader = new SettingsFile(file, names);
    String text = reader.text();
    return file.toString().endsWith(".properties") ? reader.properties(text) : reader.yaml(text);
  }

  private String text() {
    try {
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new FlagException("--config: file " + file + " does not exist");
    } catch (CharacterCodingException e) {
      throw new FlagException("--config: " + file + " is not UTF-8");
    } catch (IOException e) {
      throw new FlagException("--config: cannot read " + file + ": " + e.getMessage());
    }
  }

  private Map<String, List<String>> properties(String text) {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(text));
    } catch (IOException | IllegalArgumentException e) {
      throw new FlagException("--config: " + file + ": " + e.getMessage());
    }
    Map<String, List<String>> given = new HashMap<>();
    for (String key : properties.stringPropertyNames()) {
      given.put(known(key), List.of(properties.getProperty(key, "")));
    }
    return given;
  }

  private Map<String, List<String>> yaml(String text) {
    List<Object> documents = new ArrayList<>();
    try {
      // this schema keeps every scalar as a string
      LoadSettings settings = LoadSettings.builder().setSchema(new FailsafeSchema()).build();
      new Load(settings).loadAllFromString(text).forEach(documents::add);
    } catch (YamlEngineException e) {
      throw new FlagException("--config: " + file + " is not YAML: " + e.getMessage());
    }
    if (documents.isEmpty()) {
      return Map.of();
    }
    if (documents.size() > 1 || !(documents.getFirst() instanceof Map<?, ?> map)) {
      throw new FlagException("--config: " + file + ": expected lines of the form \"flag: value\"");
    }
    Map<String, List<String>> given = new HashMap<>();
    map.forEach((key, value) -> given.put(known(String.valueOf(key)), texts(key, value)));
    return given;
  }

  private List<String> texts(Object key, @Nullable Object value) {
    if (value instanceof List<?> list) {
      return list.stream().map(item -> scalar(key, item)).toList();
    }
    return List.of(scalar(key, value));
  }

  private String scalar(Object key, @Nullable Object value) {
    if (value instanceof String text) {
      return text;
    }
    throw new FlagException(
        "--config: " + file + ": " + key + ": expected a value or a list of values");
  }

  private String known(String key) {
    if (!names.contains(key)) {
      throw new FlagException(
          "--config: " + file + ": unknown key \"" + key + "\"" + Suggestion.among(names, key));
    }
    return key;
  }
}
