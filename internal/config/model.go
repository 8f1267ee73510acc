package config

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"frontdesk/internal/model"
)

// model fills in the model that may choose an entry. Its other settings are checked
// even when the address is missing.
func (s Settings) model(service *Service, wrong *faults) {
	var err error
	service.ModelDailyCap, err = parseCount(s.ModelDailyCap, model.DefaultDailyCap)
	wrong.add("FRONTDESK_MODEL_DAILY_CAP", err)
	service.ModelClientCap, err = parseCount(s.ModelDailyCapPerClient, max(1, service.ModelDailyCap/10))
	wrong.add("FRONTDESK_MODEL_DAILY_CAP_PER_CLIENT", err)
	endpoint := model.Endpoint{Name: s.ModelName}
	endpoint.Timeout, err = parseModelTimeout(s.ModelTimeout)
	wrong.add("FRONTDESK_MODEL_TIMEOUT", err)
	key, from, err := secret("FRONTDESK_MODEL_KEY", s.ModelKey, s.ModelKeyFile)
	if err == nil && strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		err = errors.New("holds a character that no key has") // the value is a secret and is not shown
	}
	wrong.add(from, err)
	endpoint.Key = key
	if s.ModelURL == "" {
		return
	}
	endpoint.URL, err = parseModelURL(s.ModelURL)
	wrong.add("FRONTDESK_MODEL_URL", err)
	if s.ModelName == "" {
		wrong.add("FRONTDESK_MODEL_NAME", errors.New("is required with a model: set it to the model's name at the endpoint"))
	}
	service.Model = endpoint
}

// parseModelURL refuses an address that holds a key; the error does not show it.
func parseModelURL(text string) (string, error) {
	if strings.ContainsAny(text, "@?#") {
		return "", errors.New("must be only scheme, host and path: set the key with FRONTDESK_MODEL_KEY")
	}
	address, err := parseAddress(text, true)
	return address.String(), err
}

func parseModelTimeout(text string) (time.Duration, error) {
	if text == "" {
		return model.DefaultTimeout, nil
	}
	timeout, err := time.ParseDuration(text)
	if err != nil || timeout <= 0 || timeout > model.MaxTimeout {
		return 0, fmt.Errorf("%q is not a time such as 5s, of at most %v", text, model.MaxTimeout)
	}
	return timeout, nil
}

// parseCount reads a daily cap, which may be 0.
func parseCount(text string, unset int) (int, error) {
	if text == "" {
		return unset, nil
	}
	count, err := strconv.ParseUint(text, 10, 31)
	if err != nil {
		return 0, fmt.Errorf("%q is not a whole number such as 500", text)
	}
	return int(count), nil
}

// parseOnOff reads a setting that is off unless it is on. What other settings take for
// on and off is taken too.
func parseOnOff(text string) (bool, error) {
	switch text {
	case "", "off":
		return false, nil
	case "on":
		return true, nil
	}
	on, err := parseSwitch(text, false)
	if err != nil {
		err = fmt.Errorf("%q is not on or off", text)
	}
	return on, err
}

// parseSwitch reads a setting that is true or false.
func parseSwitch(text string, unset bool) (bool, error) {
	switch text {
	case "":
		return unset, nil
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, fmt.Errorf("%q is not true or false", text)
}
